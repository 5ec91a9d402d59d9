import { keyOf, normal } from '../../../random.ts'
import { normalCdf } from '../normal.ts'
import { sampleSds } from '../power.ts'
import { POWER } from '../seeds.ts'
import { fewestOneSided, isShownOneSided } from '../signFlip.ts'
import { studentTQuantile } from '../studentT.ts'

/** Up to so many seeds the tests themselves are simulated; beyond, they are as good as t tests. */
const SIMULATED = 12
const STUDIES = 2000
const MOST = 200

const known = new Map<string, number>()

/**
 * The probability that numbers without any difference are shown to lie within a margin, which is given in their standard
 * deviations, by two one-sided sign-flip tests at a level (TOST). Up to 12 seeds the share of 2,000 simulated studies with
 * normal numbers, the same in every call; beyond, that of two t tests.
 */
export function equalPower(margin: number, seeds: number, level: number): number {
  const name = `${margin} ${seeds} ${level}`
  const power = known.get(name) ?? found(margin, seeds, level)
  known.set(name, power)
  return power
}

function found(margin: number, seeds: number, level: number): number {
  if (seeds < fewestOneSided(level)) return 0
  return seeds <= SIMULATED ? simulated(margin, seeds, level) : ofStudent(margin, seeds, level)
}

/** The fewest seeds that show it with a power of 0.8; null where it takes more than 200. */
export function seedsForEqual(margin: number, level: number): number | null {
  for (let seeds = fewestOneSided(level); seeds <= MOST; seeds++) {
    if (equalPower(margin, seeds, level) >= POWER) return seeds
  }
  return null
}

function simulated(margin: number, seeds: number, level: number): number {
  const key = keyOf(seeds, 'equal')
  let shown = 0
  const [above, below] = [new Float64Array(seeds), new Float64Array(seeds)]
  for (let study = 0; study < STUDIES; study++) {
    for (let i = 0; i < seeds; i++) {
      const number = normal(key, study * seeds + i)
      above[i] = margin + number
      below[i] = margin - number
    }
    if (isShownOneSided(above, level) && isShownOneSided(below, level)) shown += 1
  }
  return shown / STUDIES
}

function ofStudent(margin: number, seeds: number, level: number): number {
  const t = studentTQuantile(1 - level, seeds - 1)
  return sampleSds(seeds - 1).reduce((sum, { sd, weight }) => {
    const room = margin * Math.sqrt(seeds) - t * sd
    return room > 0 ? sum + weight * (2 * normalCdf(room) - 1) : sum
  }, 0)
}
