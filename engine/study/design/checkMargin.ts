import { MixlabError } from '../../errors.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import { measureOf } from '../../records/splits.ts'
import { LOSS } from '../../train/meanings.ts'
import type { Study } from '../compare.ts'
import type { OpenVariant } from '../opened.ts'
import { metricOfReadout } from '../readouts/study.ts'

/** Throws MixlabError `option` for a margin that the compared metric gives no meaning. */
export function checkMargin(
  { name, spec }: Study,
  metric: string,
  variants: readonly Pick<OpenVariant, 'opened'>[],
): void {
  const { margin } = spec
  if (margin === undefined) return
  const refuse = (why: string) => new MixlabError('option', `${name}.margin`, why)
  if (variants.length < 2) throw refuse(`${margin}, but there is one variant, and nothing to compare it with`)
  const { unit } = meaningOf(spec, metric, variants) ?? {}
  if (!unit) throw refuse(`${margin} of what? ${metric} has no unit; compare by a metric that has one`)
  if (unit === 'share' && margin >= 1) {
    throw refuse(`${margin}, expected less than 1, for ${metric} is a share; 1 point is 0.01`)
  }
}

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
