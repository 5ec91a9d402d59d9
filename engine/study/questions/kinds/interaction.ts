import type { AskedQuestion } from '../../../records/question.ts'
import type { Factor, Level } from '../../design/crossing.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, twoFactors, variantsWith } from '../factors.ts'
import type { Asked, Contrast, QuestionKind } from '../types.ts'

/** Asks whether the effect of a factor depends on another one: a difference of differences. */
export function interaction(factor: string, other: string): AskedQuestion {
  return { ask: 'interaction', factors: [factor, other] }
}

export const interactionKind: QuestionKind = {
  title: ({ factors }) => `interaction of ${(factors as string[]).join(' and ')}`,
  contrasts({ factors }, asked) {
    const [name, beside] = factors as string[]
    const [one, other] = twoFactors(asked, 'an interaction', name, beside)
    const [from, ...steps] = one.levels as [Level, ...Level[]]
    const [at, ...places] = other.levels as [Level, ...Level[]]
    return steps.flatMap((to) =>
      places.map((place) => differenceOfDifferences(asked, one, [from, to], other, [at, place])),
    )
  },
}

type Two = readonly [Level, Level]

function differenceOfDifferences(
  asked: Asked,
  one: Factor,
  [from, to]: Two,
  other: Factor,
  [at, place]: Two,
): Contrast {
  const crossing = crossingIn(asked)
  const cell = (a: Level, b: Level) => variantsWith(crossing, [one.name, a], [other.name, b])
  const cells = [cell(to, place), cell(from, place), cell(to, at), cell(from, at)] as const
  return {
    name: `${one.name} ${to} instead of ${from}, at ${other.name} ${place} rather than ${at}`,
    variants: cells.flat(),
    of: (value) => {
      const [a, b, c, d] = cells.map((variants) => meanOf(variants.map(value))) as [number, number, number, number]
      return a - b - (c - d)
    },
    oriented: true,
    say: { more: 'gains more', less: 'gains less' },
  }
}
