import { definedWith } from '../../definitions.ts'
import { isMetric, type Metric } from '../../evaluate/index.ts'
import { isBlock } from '../../nn/block.ts'
import type { Block } from '../../nn/types.ts'
import { identityOf } from '../../notebook/closures/identity.ts'
import type { PlannedRun } from '../../records/run.ts'
import { codeDigest } from '../design/codeDigest.ts'
import { usesCorrected } from '../design/identityDigest.ts'
import { isTaskCorrected } from '../design/taskGradients.ts'
import { BUILT_IN } from '../key.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { legacyDigest } from './legacyDigest.ts'
import type { LegacyForm } from './legacyForms.ts'
import { digestBefore, wrongBefore } from './wrongGradients.ts'

/** Says why nobody knows whether results under a key of such a form are those of the variant; null where they are. */
export function doubtsOf(open: OpenStudy, variant: OpenVariant, forms: LegacyForm[]) {
  const now = forms[0]?.model
  const ofCell = now !== undefined && now.code !== BUILT_IN
  const isOwn = (run: PlannedRun) => run.variant === variant.name
  const gradients = (later: boolean) =>
    once(async () => {
      const wrong = ofCell || variant.task.defined ? await wrongBefore(variant, later) : []
      const { digest, wrongTape } = ofCell ? await digestBefore(variant) : { digest: '', wrongTape: false }
      const named = digest === null && usesCorrected(open.planned.find(isOwn)?.code ?? '')
      const unsure = wrongTape || named || (await isTaskCorrected(open.study, variant))
      if (wrong.length === 0 && !unsure) return null
      const what = wrong.length > 0 ? ` of ${wrong.join(' and ')}` : ''
      return `may have been trained by a wrong gradient${what}, which an earlier version had`
    })
  const wrong = { now: async () => null, before: gradients(true), any: gradients(false) }
  const code = once(async () => {
    const metrics = open.study.spec.metrics ?? []
    const shared = [ofCell && isSharedBlock(variant), ...metrics.map(isSharedMetric)]
    if (!(await Promise.all(shared)).includes(true)) return null
    return 'may have been trained with other code, which an earlier version did not tell apart'
  })
  return async ({ era, gradients }: LegacyForm): Promise<string | null> =>
    (era === 'tokens' ? await code() : null) ?? wrong[gradients]()
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Whether another block of the same cell and text does something else than the block of a variant, which keys with tokens
 * do not show.
 */
async function isSharedBlock({ block, size, opened, recipe }: OpenVariant): Promise<boolean> {
  const { input, extras } = opened
  const given = { input, extras, batch: recipe.batch / recipe.accumulate }
  const text = ({ blockName, run, captured }: Block) => JSON.stringify([blockName, String(run), captured])
  const { origin } = block
  const others = definedWith(origin).filter(isBlock)
  const does = await legacyDigest(opened.model(block, size), input)
  for (const other of others.filter((each) => each !== origin && text(each) === text(origin))) {
    if ((await legacyDigest(opened.model(other, size), input)) !== does) continue
    const digests = [block, other].map((each) => codeDigest(opened.model(each, size), given))
    const [own, others] = await Promise.all(digests)
    if (own !== others) return true
  }
  return false
}

/** Whether a metric that was defined beside another has its name and computes something else. */
async function isSharedMetric(metric: Metric): Promise<boolean> {
  const others = definedWith(metric).filter((each) => isMetric(each) && each !== metric && each.name === metric.name)
  const identity = await identityOf(metric.collect)
  const identities = await Promise.all(others.map((each) => identityOf((each as Metric).collect)))
  return identities.some((other) => other === null || other !== identity)
}
