import { meaningIn, metricText } from '../records/meaning.ts'
import { hasLearned, type LearnedRule, learnedRules, newestEnded, valueIn } from '../study/statistics/failures.ts'
import type { VerdictsInput } from '../study/statistics/index.ts'

/** Pixels. */
const WIDTH = 120
const HEIGHT = 14
const RADIUS = 3

/**
 * A small chart of each variant as SVG text: a dot for each seed at its value, on one scale for all variants. Seeds that did not
 * learn are rings, and those that diverged are crosses at the left end. The colour is that of the text around it.
 */
export function seedStrips(input: VerdictsInput): Map<string, string> {
  const { metric, which = 'last', runs, variants, baseline } = input
  const meaning = meaningIn(runs, metric)
  const ruleOf = learnedRules(input, meaning)
  const all = variants.map((variant) => {
    const ended = [...newestEnded(runs, variant).values()].sort((a, b) => a.seed - b.seed)
    const seeds = ended.map((run) => ({ seed: run.seed, value: valueIn(run, metric, which) }))
    return { variant, seeds: seeds.filter((each): each is Seed => each.value !== undefined) }
  })
  const values = all.flatMap(({ seeds }) => seeds.map(({ value }) => value)).filter(Number.isFinite)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const placeOf = (value: number) => {
    const share = high > low ? (value - low) / (high - low) : 0.5
    return Number((3 * RADIUS + share * (WIDTH - 4 * RADIUS)).toFixed(1))
  }
  const markOf = ({ seed, value }: Seed, rule: LearnedRule) => {
    const learned = hasLearned(value, rule, meaning)
    const text = Number.isFinite(value) ? metricText(value, meaning) : 'diverged'
    const title = `<title>seed ${seed}: ${text}${learned || !Number.isFinite(value) ? '' : ', has not learned'}</title>`
    if (!Number.isFinite(value)) {
      const [left, top, size] = [1, (HEIGHT - 2 * RADIUS) / 2, 2 * RADIUS - 1]
      const path = `M${left} ${top}l${size} ${size}m0 ${-size}l${-size} ${size}`
      return `<path d="${path}" fill="none" stroke="currentColor">${title}</path>`
    }
    const fill = learned ? 'fill="currentColor" fill-opacity="0.6"' : 'fill="none" stroke="currentColor"'
    return `<circle cx="${placeOf(value)}" cy="${HEIGHT / 2}" r="${RADIUS}" ${fill}>${title}</circle>`
  }
  const marksOf = (variant: string, seeds: readonly Seed[]) => {
    const rule = ruleOf([...new Set([variant, baseline])])
    return seeds.map((each) => markOf(each, rule)).join('')
  }
  return new Map(
    all.map(({ variant, seeds }) => [
      variant,
      seeds.length === 0
        ? ''
        : `<svg role="img" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
          `<title>values of ${seeds.length} seeds</title>${marksOf(variant, seeds)}</svg>`,
    ]),
  )
}

interface Seed {
  seed: number
  /** NaN where the run diverged. */
  value: number
}
