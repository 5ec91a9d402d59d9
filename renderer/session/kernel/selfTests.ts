import { z } from 'zod'
import type { Ear } from '../../protocol/kernel.ts'
import { remember, remembered } from '../../ui/remembered.ts'
import { bytesOf, CASES } from './cases.ts'

const KEY = 'mixlab.selfTests'
/** The latest ones are kept. */
const MOST = 50
const LONGEST = 1000 // characters
/** Small cases of each kind. */
const SELF_TEST = ['gmlp_timm_small', 'vit_timm_small', 'bert_small', 'op_batchnorm_train', 'optim_adamw']

const text = z.string().transform((given) => given.slice(0, LONGEST))
const schema = z.object({ notebook: z.string().nullable(), adapter: text, why: text.nullable() })

/**
 * What a kernel asks and tells of the tests of adapters, which are named with the versions of browser and program. It is kept
 * for its notebook alone: the cells share a worker with the test, and could tell anything.
 */
export function selfTestsOf(notebook: () => string | null): Pick<Ear, 'selfTested' | 'noteSelfTest' | 'selfTestCases'> {
  return {
    async selfTested(adapter) {
      const known = all().findLast((each) => each.notebook === notebook() && each.adapter === adapter)
      return known ? { why: known.why } : null
    },
    async noteSelfTest(adapter, why) {
      remember(KEY, [...all(), schema.parse({ notebook: notebook(), adapter, why })].slice(-MOST))
    },
    async selfTestCases() {
      const wanted = CASES.filter(({ name }) => SELF_TEST.includes(name))
      return Promise.all(wanted.map(async (each) => ({ name: each.name, file: await bytesOf(each) })))
    },
  }
}

function all(): z.infer<typeof schema>[] {
  return z.array(schema).safeParse(remembered(KEY)).data ?? []
}
