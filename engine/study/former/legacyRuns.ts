import type { PlannedRun } from '../../records/run.ts'
import { keyOfRun } from '../key.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'
import { doubtsOf } from './doubts.ts'
import { type Era, type LegacyForm, legacyForms, type NowSpec } from './legacyForms.ts'

/** A run as an earlier version planned it. */
export interface LegacyRun {
  /** The key that it has now. */
  key: string
  /** Under the key and with the spec of then. */
  run: PlannedRun
  era: Era
  /** Why nobody can say whether the results under that key are those of the run, as part of a sentence; null where they are. */
  doubt: () => Promise<string | null>
}

/**
 * The runs of a study, and of the studies that it starts from, under the keys that they may have had in earlier versions,
 * those of one run newest first: runs with code of cells, and what starts from them.
 */
export async function legacyRuns(open: OpenStudy): Promise<LegacyRun[]> {
  const before = (await Promise.all(open.before.map(legacyRuns))).flat()
  const started = Map.groupBy(before, ({ key }) => key)
  const own: LegacyRun[] = []
  for (const [name, planned] of Map.groupBy(open.planned, ({ variant }) => variant)) {
    const variant = open.variants.find((each) => each.name === name) as OpenVariant
    const forms = await legacyForms(open, variant, nowSpec(planned[0] as PlannedRun))
    const doubts = doubtsOf(open, variant, forms)
    for (const now of planned) {
      const known = new Set([now.key])
      for (const form of forms) {
        for (const start of startsThen(now, form, started)) {
          const run = runThen(now, form, start)
          if (known.has(run.key)) continue
          known.add(run.key)
          const doubt = async () => (await doubts(form)) ?? (await start?.doubt()) ?? null
          own.push({ key: now.key, run, era: form.era, doubt })
        }
      }
    }
  }
  return [...before, ...own]
}

const nowSpec = ({ spec }: PlannedRun) => spec as unknown as NowSpec

/** The runs that a run may have started from, in an earlier form; null is that of now, or none. */
function startsThen(
  { from }: PlannedRun,
  { era }: LegacyForm,
  started: Map<string, LegacyRun[]>,
): (LegacyRun | null)[] {
  const starts = started.get(from?.key ?? '') ?? []
  // a key with digests may have that of a run from before them, never the other way round
  if (era === 'digests') return [null, ...starts]
  const same = starts.filter((start) => start.era === era)
  return same.length > 0 ? same : [null]
}

function runThen(now: PlannedRun, { model, metrics, definitions }: LegacyForm, start: LegacyRun | null): PlannedRun {
  const from = start && now.from ? { ...now.from, key: start.run.key } : now.from
  const spec = { ...nowSpec(now), model, ...(metrics && { metrics }), ...(definitions && { definitions }), from }
  return { ...now, from, spec, key: keyOfRun(spec) }
}
