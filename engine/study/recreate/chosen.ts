import type { StudyDesign } from '../../records/design.ts'
import type { OnlyOptions } from '../only.ts'

/** What was chosen for a run of a study that is tuned, by the designs that have it; undefined where nothing was. */
export function chosenFor(key: string, designs: readonly Pick<StudyDesign, 'runs' | 'tuned'>[]): OnlyOptions['values'] {
  for (const { runs, tuned } of designs) {
    const variant = runs.find((run) => run.key === key)?.variant
    const own = tuned?.variants.find((each) => each.variant === variant)
    if (tuned && own) return tuned.values[own.chosen]
  }
  return undefined
}
