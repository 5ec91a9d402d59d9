import type { AskedQuestion } from '../../../records/question.ts'
import type { Level } from '../../design/crossing.ts'
import type { Claim } from '../../statistics/index.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, overText, twoFactors, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import type { Answered, QuestionKind } from '../types.ts'

/** Asks for the simple effects of a factor: each of its levels against the first one, at each level of another factor. */
export function simple(factor: string, options: { at: string }): AskedQuestion {
  return questionAbout('simple', factor, options, 'at')
}

/** The same, told only where an interaction of the two is shown. */
export function simpleWhereInteracting(factor: string, at: string): AskedQuestion {
  return { ...simple(factor, { at }), where: 'interaction' }
}

export const simpleKind: QuestionKind = {
  title: ({ factor, at }) => `effect of ${factor} at each ${at}`,
  contrasts({ factor, at }, asked) {
    const [own, other] = twoFactors(asked, 'simple effects', factor, at)
    const crossing = crossingIn(asked)
    const [first, ...others] = own.levels as [Level, ...Level[]]
    return other.levels.flatMap((place) =>
      others.map((level) => {
        const [base, cell] = [first, level].map((each) =>
          variantsWith(crossing, [own.name, each], [other.name, place]),
        ) as [string[], string[]]
        const at = `at ${other.name} ${place}${overText(crossing, own.name, other.name)}`
        return {
          name: `${own.name} ${level} instead of ${first} ${at}`,
          sides: { own: `${own.name} ${level}`, other: `${own.name} ${first}` },
          at,
          variants: [...base, ...cell],
          of: (value: (variant: string) => number) => meanOf(cell.map(value)) - meanOf(base.map(value)),
        }
      }),
    )
  },
  isSaid: ({ where, factor, at }, all) => where !== 'interaction' || interacts(all, String(factor), String(at)),
}

const isDifference = (claim: Claim) => ['better', 'worse', 'different', 'counted'].includes(claim)

/** Whether an interaction of two factors is shown, at any of their levels. */
function interacts(all: readonly Answered[], ...two: string[]): boolean {
  return all.some(
    ({ question: { ask, factors }, findings }) =>
      ask === 'interaction' &&
      two.every((name) => (factors as string[]).includes(name)) &&
      findings.some(({ claim }) => isDifference(claim)),
  )
}
