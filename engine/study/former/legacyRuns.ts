import { definedWith } from '../../definitions.ts'
import { isMetric, type Metric } from '../../evaluate/index.ts'
import { isBlock } from '../../nn/block.ts'
import type { Block } from '../../nn/types.ts'
import { identityOf } from '../../notebook/closures/identity.ts'
import type { PlannedRun } from '../../records/run.ts'
import { codeDigest } from '../design/codeDigest.ts'
import { BUILT_IN, type KeyedSpec, keyOfRun } from '../key.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { legacyDigest } from './legacyDigest.ts'

/** A run as it was planned before keys said what the code of cells does. */
export interface LegacyRun {
  /** The key that it has now. */
  key: string
  /** Under the key and with the spec of then. */
  run: PlannedRun
  /** Whether other code of the same notebook had that key, too. */
  shared: boolean
}

type NowSpec = KeyedSpec & { model: { code: string }; metrics?: Record<string, string | { code: string }> }

/**
 * The runs of a study, and of the studies that it starts from, that had another key in earlier versions: runs with code
 * of cells. A run that they start from has its former key, too.
 */
export async function legacyRuns(open: OpenStudy): Promise<LegacyRun[]> {
  const before = (await Promise.all(open.before.map(legacyRuns))).flat()
  const started = new Map(before.map(({ key, run }) => [key, run.key]))
  const parts = new Map<string, LegacyParts>()
  const own: LegacyRun[] = []
  for (const planned of open.planned) {
    const spec = planned.spec as unknown as NowSpec
    const variant = open.variants.find(({ name }) => name === planned.variant) as OpenVariant
    const { does, shared } = parts.get(planned.variant) ?? (await legacyParts(open, variant, spec))
    parts.set(planned.variant, { does, shared })
    const from = planned.from && { ...planned.from, key: started.get(planned.from.key) ?? planned.from.key }
    const former = { ...legacySpec(spec, does), from }
    const key = keyOfRun(former)
    if (key !== planned.key) own.push({ key: planned.key, run: { ...planned, from, spec: former, key }, shared })
  }
  return [...before, ...own]
}

function legacySpec({ model, metrics, ...spec }: NowSpec, does: string | null): KeyedSpec & Record<string, unknown> {
  const { digest: _, ...rest } = model
  const codes = Object.entries(metrics ?? {}).map(([name, each]) => [name, typeof each === 'string' ? each : each.code])
  return { ...spec, model: does ? { ...rest, does } : rest, ...(metrics && { metrics: Object.fromEntries(codes) }) }
}

/** What the former keys of a variant say of its code, and whether they say the same of other code. */
interface LegacyParts {
  does: string | null
  shared: boolean
}

async function legacyParts({ study }: OpenStudy, variant: OpenVariant, { model }: NowSpec): Promise<LegacyParts> {
  const { block, size, opened } = variant
  const own = model.code !== BUILT_IN
  const does = own ? await legacyDigest(opened.model(block, size), opened.input) : null
  const metrics = study.spec.metrics ?? []
  const shared = [own && isSharedBlock(variant, does), ...metrics.map(isSharedMetric)]
  return { does, shared: (await Promise.all(shared)).includes(true) }
}

/**
 * Whether another block of the same cell and text does something else than the block of a variant, which its former key
 * does not show.
 */
async function isSharedBlock({ block, size, opened, recipe }: OpenVariant, does: string | null): Promise<boolean> {
  const { input, extras } = opened
  const given = { input, extras, batch: recipe.batch / recipe.accumulate }
  const text = ({ blockName, run, captured }: Block) => JSON.stringify([blockName, String(run), captured])
  const { origin } = block
  const others = definedWith(origin).filter(isBlock)
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
