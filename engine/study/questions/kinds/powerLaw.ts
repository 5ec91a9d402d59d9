import type { AskedQuestion } from '../../../records/question.ts'
import type { Level } from '../../design/crossing.ts'
import type { Saying } from '../../statistics/index.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, overText, twoFactors, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import { lineThrough, type OrderedFactor, orderedFactor } from '../ordered.ts'
import type { Asked, Contrast, QuestionKind, SeedValues } from '../types.ts'

/**
 * Asks for the exponent b of a power law, metric = a * level^b: the slope of the logarithms by least squares. With `by`, how
 * much it differs between the levels of another factor.
 */
export function powerLaw(factor: string, options?: { by?: string }): AskedQuestion {
  return questionAbout('powerLaw', factor, options, 'by')
}

const WHAT = 'a power law'

export const powerLawKind: QuestionKind = {
  title: ({ factor, by }) => `power law of ${factor}${by === undefined ? '' : ` by ${by}`}`,
  contrasts({ factor, by }, asked) {
    const ordered = orderedFactor(asked, WHAT, factor, 'log')
    if (by === undefined) return [exponentOf(asked, ordered)]
    const [, other] = twoFactors(asked, WHAT, factor, by)
    const [first, ...others] = other.levels as [Level, ...Level[]]
    const base = exponentOf(asked, ordered, [other.name, first])
    return others.map((level): Contrast => {
      const own = exponentOf(asked, ordered, [other.name, level])
      return {
        name: `${other.name} ${level} instead of ${first}, along ${ordered.name}${overText(crossingIn(asked), ordered.name, other.name)}`,
        variants: [...base.variants, ...own.variants],
        of: (value) => {
          const [a, b] = [own.of(value), base.of(value)]
          return a === null || b === null ? null : a - b
        },
        ...UNIT,
        say: saying('the exponent is larger', 'the exponent is smaller', 'no difference of exponents shown'),
      }
    })
  },
}

const UNIT = { unitless: true, silent: 'with a value that has no logarithm' } as const

/** The exponent along a factor, at a level of another one where that is given, over the levels of the rest. */
function exponentOf(asked: Asked, { name, levels, places }: OrderedFactor, ...at: [string, Level][]): Contrast {
  const crossing = crossingIn(asked)
  const cells = levels.map((level) => variantsWith(crossing, [name, level], ...at))
  const logarithms = (value: SeedValues['value']) =>
    cells.map((variants) => meanOf(variants.map((variant) => Math.log2(value(variant)))))
  return {
    name: `${name} from ${levels[0]} to ${levels.at(-1)}${overText(crossing, name)}`,
    variants: cells.flat(),
    of: (value) => lineThrough(places, logarithms(value)).slope,
    ...UNIT,
    say: {
      ...saying(`rises as a power of ${name}`, `falls as a power of ${name}`, 'no power law shown'),
      mean: 'exponent',
      by: 'with exponent',
      signed: true,
    },
  }
}

function saying(more: string, less: string, none: string): Saying {
  return { more, less, none }
}
