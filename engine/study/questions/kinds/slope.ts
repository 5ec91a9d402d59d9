import type { AskedQuestion } from '../../../records/question.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, overText, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import { lineThrough, orderedFactor, type ScaleOptions } from '../ordered.ts'
import type { QuestionKind } from '../types.ts'

/**
 * Asks how much the metric rises or falls along a factor of numbers: the slope of the straight line through its levels by
 * least squares, on a linear scale per unit, on a logarithmic one per doubling; over all levels of the other factors alike.
 */
export function slope(factor: string, options?: ScaleOptions): AskedQuestion {
  return questionAbout('slope', factor, options, 'scale')
}

export const slopeKind: QuestionKind = {
  title: ({ factor }) => `slope over ${factor}`,
  contrasts({ factor, scale: wanted }, asked) {
    const { name, levels, places, scale } = orderedFactor(asked, 'a slope', factor, wanted)
    const crossing = crossingIn(asked)
    const at = levels.map((level) => variantsWith(crossing, [name, level]))
    return [
      {
        name: `${name} from ${levels[0]} to ${levels.at(-1)}${overText(crossing, name)}`,
        variants: at.flat(),
        of: (value) =>
          lineThrough(
            places,
            at.map((variants) => meanOf(variants.map(value))),
          ).slope,
        say: {
          more: `rises with ${name}`,
          less: `falls with ${name}`,
          none: 'no slope shown',
          per: scale === 'log' ? ' per doubling' : ` per unit of ${name}`,
        },
      },
    ]
  },
}
