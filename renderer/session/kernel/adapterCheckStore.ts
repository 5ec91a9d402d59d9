import { z } from 'zod'
import type { KernelListener } from '../../protocol/kernel.ts'
import { remember, remembered } from '../../ui/remembered.ts'
import { bytesOf, CASES } from './cases.ts'

const KEY = 'mixlab.selfTests'
/** The latest ones are kept. */
const MAX_REMEMBERED = 50
const MAX_REASON_LENGTH = 1000 // characters
/** Small cases of each kind. */
const CHECK_CASES = ['gmlp_timm_small', 'vit_timm_small', 'bert_small', 'op_batchnorm_train', 'optim_adamw']

const text = z.string().transform((given) => given.slice(0, MAX_REASON_LENGTH))
const schema = z.object({ notebook: z.string().nullable(), adapter: text, why: text.nullable() })

/**
 * The results of adapter checks, which a kernel reads and writes, named with the versions of browser and program. They are kept
 * for its notebook alone: the cells share a worker with the check, and could write anything.
 */
export function adapterCheckStore(
  notebook: () => string | null,
): Pick<KernelListener, 'selfTested' | 'noteSelfTest' | 'selfTestCases'> {
  return {
    async selfTested(adapter) {
      const known = all().findLast((each) => each.notebook === notebook() && each.adapter === adapter)
      return known ? { why: known.why } : null
    },
    async noteSelfTest(adapter, why) {
      remember(KEY, [...all(), schema.parse({ notebook: notebook(), adapter, why })].slice(-MAX_REMEMBERED))
    },
    async selfTestCases() {
      const wanted = CASES.filter(({ name }) => CHECK_CASES.includes(name))
      return Promise.all(wanted.map(async (each) => ({ name: each.name, file: await bytesOf(each) })))
    },
  }
}

function all(): z.infer<typeof schema>[] {
  return z.array(schema).safeParse(remembered(KEY)).data ?? []
}
