import type { PlannedRun, StudyEvent } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import { namedRuns } from '../named.ts'
import type { OpenStudy } from '../opened.ts'
import { type Offered, takeBack } from '../runners/offered.ts'
import { stopOf, stopText } from './stop.ts'

/** The looks at a study while it is trained. */
export interface StudyLooks {
  /** To be called when a run is over: removes the runs that are not needed any more, once, and says so. */
  after(waiting: PlannedRun[], elsewhere: Map<string, PlannedRun>, offered: Offered): AsyncGenerator<StudyEvent>
  /** No further run of a variant will be tried. */
  endVariant(variant: string): void
}

/** Looks at a study after every seed, of which `planned` are trained, by what the store has of its runs. */
export function createLooks(
  { name, metric, design }: OpenStudy,
  planned: readonly PlannedRun[],
  { runs }: { runs: Pick<RunStore, 'lookAt'> },
): StudyLooks {
  const specs = new Map(planned.map(({ key, spec }) => [key, spec]))
  const variants = design.variants.map(({ variant }) => variant)
  const trained = new Set(planned.map(({ variant }) => variant))
  const ended = new Set(variants.filter((variant) => !trained.has(variant)))
  const keys = [...new Set(design.runs.map(({ key }) => key))]
  let stopped = false
  return {
    endVariant: (variant) => void ended.add(variant),
    async *after(waiting, elsewhere, offered) {
      if (stopped) return
      const attempts = namedRuns(design.runs, await runs.lookAt(keys))
      const found = attempts.map((run) => ({ ...run, spec: specs.get(run.key) }))
      const stop = stopOf({ metric, design, variants, baseline: variants[0] ?? '', runs: found }, ended)
      if (!stop || stopped) return // another place may have looked meanwhile
      stopped = true
      const left = [...waiting.splice(0).map(({ key }) => key), ...elsewhere.keys(), ...takeBack(offered)]
      elsewhere.clear()
      yield { type: 'stopped', study: name, keys: left, text: stopText(stop) }
    },
  }
}
