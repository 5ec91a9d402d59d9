import { plural } from './seeds.ts'
import type { Judgement } from './types.ts'

/** Variants that a sentence names. */
const NAMED = 3

/** `of 8 seeds`, or `of 8 seeds, of which mixer diverged on 2`. */
export function ofSeeds(seeds: number, { diverged }: Pick<Judgement, 'diverged'>): string {
  const of = `of ${plural(seeds, 'seed')}`
  if (!diverged) return of
  const lost = Object.entries(diverged.by).sort(([, a], [, b]) => b - a)
  const named = lost.slice(0, NAMED).map(([variant, count], i) => `${variant}${i === 0 ? ' diverged' : ''} on ${count}`)
  const more = lost.length > NAMED ? [`${lost.length - NAMED} more`] : []
  return `${of}, of which ${[...named, ...more].join(', ')}`
}

/** The mean, with what it is of where runs diverged: `+1.2 points on the 6 others`. */
export function onOthers(amount: string, seeds: number, { diverged }: Pick<Judgement, 'diverged'>): string[] {
  if (!diverged) return [amount]
  const others = seeds - diverged.seeds
  if (others === 0) return []
  return [`${amount}, on the ${others === 1 ? 'other one' : `${others} others`}`]
}
