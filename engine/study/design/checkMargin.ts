import { MixlabError } from '../../errors.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import { measureOf } from '../../records/splits.ts'
import { LOSS } from '../../train/meanings.ts'
import type { Study } from '../compare.ts'
import type { OpenVariant } from '../opened.ts'
import { metricOfReadout } from '../readouts/study.ts'
import { chanceOf } from '../statistics/index.ts'

/** Throws MixlabError `option` for a margin, or a value of having learned, that the compared metric gives no meaning. */
export function checkMetricValues(
  { name, spec }: Study,
  metric: string,
  variants: readonly Pick<OpenVariant, 'opened'>[],
): void {
  const { margin, learned } = spec
  if (learned !== undefined) checkLearned(`${name}.learned`, learned, metric, meaningOf(spec, metric, variants))
  if (margin === undefined) return
  const refuse = (why: string) => new MixlabError('option', `${name}.margin`, why)
  if (variants.length < 2) throw refuse(`${margin}, but there is one variant, and nothing to compare it with`)
  const { unit } = meaningOf(spec, metric, variants) ?? {}
  if (!unit) throw refuse(`${margin} of what? ${metric} has no unit; compare by a metric that has one`)
  if (unit === 'share' && margin >= 1) {
    throw refuse(`${margin}, expected less than 1, for ${metric} is a share; 1 point is 0.01`)
  }
}

function checkLearned(path: string, learned: number, metric: string, meaning: MetricMeaning = {}): void {
  const { better, bounds: [low, high] = [null, null] } = meaning
  if (!better) {
    throw new MixlabError(
      'option',
      path,
      `${metric} does not say which way is better, and no value of it says who learned`,
    )
  }
  if ((low !== null && learned < low) || (high !== null && learned > high)) {
    throw new MixlabError('option', path, `${learned}, expected a value of ${metric}, ${boundsText(low, high)}`)
  }
}

const boundsText = (low: number | null, high: number | null) =>
  [...(low === null ? [] : [`from ${low}`]), ...(high === null ? [] : [`to ${high}`])].join(' ')

/** The value of the compared metric without learning, by its meaning and the classes of the data; null where nothing is known. */
export function chanceIn(
  { spec }: Study,
  metric: string,
  variants: readonly Pick<OpenVariant, 'opened'>[],
): number | null {
  const meaning = meaningOf(spec, metric, variants)
  const [chance = null, ...others] = new Set(
    variants.map(({ opened }) => meaning && chanceOf(meaning, opened.classes?.length)),
  )
  return others.length === 0 ? chance : null
}

/** What the compared metric of a study means, before it is measured. */
export const metricMeaning = (
  { spec }: Study,
  metric: string,
  variants: readonly Pick<OpenVariant, 'opened'>[],
): MetricMeaning | undefined => meaningOf(spec, metric, variants)

function meaningOf(
  { readouts }: Study['spec'],
  metric: string,
  [first]: readonly Pick<OpenVariant, 'opened'>[],
): MetricMeaning | undefined {
  const readout = readouts?.find((each) => metricOfReadout(each) === metric)
  const measure = measureOf(metric)
  if (readout || !first) return readout?.meaning
  if (measure === 'loss') return first.opened.lossMeaning ?? LOSS
  return first.opened.evaluators().find((each) => each.name === measure)?.meaning
}
