import { MixlabError } from '../../../errors.ts'
import type { AskedQuestion } from '../../../records/question.ts'
import type { Factor } from '../../design/crossing.ts'
import { meanOf } from '../../summary.ts'
import { combinations, crossingIn, factorOf, variantAt } from '../factors.ts'
import type { Asked, Contrast, QuestionKind } from '../types.ts'

/** Asks whether the effect of a factor depends on another one: a difference of differences. */
export function interaction(factor: string, other: string): AskedQuestion {
  return { ask: 'interaction', factors: [factor, other] }
}

export const interactionKind: QuestionKind = {
  title: ({ factors }) => `interaction of ${(factors as string[]).join(' and ')}`,
  contrasts({ factors }, asked) {
    const [one, other] = (factors as string[]).map((name) => factorOf(asked, name)) as [Factor, Factor]
    if (one === other) {
      throw new MixlabError('option', `${asked.study}.questions`, `an interaction of '${one.name}' with itself`)
    }
    const [from, ...steps] = one.levels
    const [at, ...beside] = other.levels
    return steps.flatMap((to) =>
      beside.map((level) => differenceOfDifferences(asked, one, [from, to], other, [at, level])),
    )
  },
}

type Two = readonly [Factor['levels'][number] | undefined, Factor['levels'][number]]

function differenceOfDifferences(
  asked: Asked,
  one: Factor,
  [from, to]: Two,
  other: Factor,
  [at, level]: Two,
): Contrast {
  const crossing = crossingIn(asked)
  const mean = (a: Two[0], b: Two[0]) => {
    const rest = combinations(crossing.factors, one.name, other.name)
    return rest.map(
      (levels) => variantAt(crossing, [...levels, [one.name, a as Two[1]], [other.name, b as Two[1]]]) as string,
    )
  }
  const cells = [mean(to, level), mean(from, level), mean(to, at), mean(from, at)] as const
  return {
    name: `${one.name} ${to} instead of ${from}, at ${other.name} ${level} rather than ${at}`,
    variants: cells.flat(),
    of: (value) => {
      const [a, b, c, d] = cells.map((variants) => meanOf(variants.map(value))) as [number, number, number, number]
      return a - b - (c - d)
    },
    oriented: true,
    say: { more: 'gains more', less: 'gains less' },
  }
}
