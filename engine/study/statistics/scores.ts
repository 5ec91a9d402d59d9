/** A number of one seed, such as the difference of a pair: a contrast of that seed's runs. */
export interface SeedNumber {
  seed: number
  /** In the unit of what is asked. Where runs diverged beyond all: infinite, or 0 where it is a tie. */
  number: number
  /** The largest size of the values that it was computed from: a number far below it is rounding. */
  size: number
  /** The variants that diverged with this seed, if any. */
  diverged?: readonly string[] | undefined
}

/**
 * What the tests add up of numbers that are moved by `shift`: the numbers themselves, or, where a run diverged, their signed
 * ranks: the ranks of their sizes with their signs (Wilcoxon, "Individual Comparisons by Ranking Methods", 1945), in which what
 * diverged has the highest ones (worst ranks: Lachin, "Worst-rank Score Analysis with Informatively Missing Observations in
 * Clinical Trials", 1999). Both sides of a seed are treated alike, so that signs can be flipped as before. A seed whose runs
 * diverged on both sides says nothing, with any shift.
 */
export function scores(numbers: readonly SeedNumber[], shift = 0): number[] {
  const moved = numbers.map(({ number, diverged }) => (diverged && number === 0 ? 0 : number + shift))
  if (numbers.every(({ diverged }) => !diverged)) return moved
  const sizes = moved.map(Math.abs)
  return moved.map((value, i) => Math.sign(value) * rankIn(sizes, sizes[i] as number))
}

/** The rank of a value from 1 on; equal ones have the mean of theirs. */
function rankIn(values: readonly number[], own: number): number {
  const lower = values.filter((value) => value < own).length
  const equal = values.filter((value) => value === own).length
  return lower + (equal + 1) / 2
}

/** The sign of a number, 0 where it is rounding. */
export function signOf({ number, size }: Pick<SeedNumber, 'number' | 'size'>): number {
  return Math.abs(number) <= 1e-12 * size ? 0 : Math.sign(number)
}
