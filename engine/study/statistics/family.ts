import type { StudyDesign } from '../../records/design.ts'
import { ALPHA, signFlip, smallestOneSided, smallestP } from './signFlip.ts'

/** How many studies were planned together with one, itself among them. */
export function studiesWith({ together }: Pick<StudyDesign, 'together'> = {}): number {
  return together?.length ?? 1
}

/** What is said of a correction for several studies, if there are several. */
export function togetherText(design?: Pick<StudyDesign, 'together'>): string[] {
  const studies = studiesWith(design)
  return studies > 1 ? [`corrected for ${studies} studies together`] : []
}

/**
 * Holm correction for multiple comparisons: adjusted p-values, in the order given (Holm, "A Simple Sequentially Rejective Multiple Test
 * Procedure", 1979): the smallest times k, the next times k - 1, and so on, never falling.
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted: number[] = []
  let largest = 0
  const ascending = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  for (const [place, { p, index }] of ascending.entries()) {
    largest = Math.min(1, Math.max(largest, p * (ps.length - place)))
    adjusted[index] = largest
  }
  return adjusted
}

/** What a test of some seeds says by itself. */
export interface PValue {
  p: number
  /** The smallest p that any outcome of so many seeds could give. */
  smallest: number
  /** Of numbers that are compared within a margin. */
  sides?: Sides | undefined
  /** The test of which side fails on more seeds, where there are failures to compare. */
  failures?: { p: number; smallest: number } | undefined
  /** Whether nothing is tested: what is counted is compared, and takes no share of the level. */
  untested?: true | undefined
}

/** The one-sided tests of a mean and a margin. */
export interface Sides {
  /** The p of a mean above minus the margin, and of one below the margin. */
  above: number
  below: number
  seeds: number
}

/** What one test comes to beside all that is tested with it. */
export interface Decided {
  p: number
  /** After the correction for all that is tested with it, times the studies that were planned together. */
  adjusted: number
  /** Whether it is shown: the adjusted p is at most 0.05. */
  shown: boolean
  /** The level at which it was tested at its place: what is shown is shown at this level. */
  level: number
}

/** What the tests of one variant say. */
export interface Test extends Decided {
  /** No outcome of so many seeds could have shown a difference. */
  tooFew: boolean
  /** Whether all that was tested of it is shown, so that a later question may follow. */
  passed: boolean
  /** What is shown of the margin, if there is one. */
  within?: ShownSides | undefined
  /** What is shown of the failures, where they were tested. */
  failures?: Decided | undefined
}

/** Which sides of a margin are shown. */
export interface ShownSides {
  above: boolean
  below: boolean
  /** The larger p of the two, after the correction. */
  adjusted: number
  /** The one-sided level of the tests. */
  level: number
  /** No outcome of so many seeds could have shown both. */
  tooFew: boolean
}

/** The sign-flip test of one list of differences. */
export function flipped(differences: readonly number[]): PValue {
  return { p: signFlip(differences), smallest: smallestP(differences.length) }
}

/** A hypothesis of a comparison: of its mean, of a side of its margin, or of its failures. */
interface Hypothesis {
  of: number
  part: 'mean' | 'above' | 'below' | 'failures'
  p: number
}

/**
 * Tests of one family, by Holm's correction. Each of several `studies` that were planned together gets an equal share of
 * the 5% (Bonferroni), so that what one of them shows depends on no run of the others.
 *
 * A comparison has up to two questions: the mean over the seeds that learned, and the failures. Together they have the share
 * of one comparison. A question that its seeds cannot decide takes none of it; which that is depends only on counts of seeds
 * that swapping the runs of a seed leaves as they are, so that the tests stay exact. Where both can be decided they are
 * corrected by Holm within the comparison, and what a decided comparison had goes to the others.
 *
 * That a mean is 0, that it is at or below minus the margin, and that it is at or above it exclude each other: at most one
 * of the three is true, and between them nothing is corrected.
 */
export function corrected(tests: readonly PValue[], studies = 1): Test[] {
  const comparisons = tests.filter(({ untested }) => !untested).length
  const start = ALPHA / Math.max(1, comparisons) / studies
  const hypotheses = tests.flatMap((test, of): Hypothesis[] => {
    const { p, sides, failures } = test
    const asked = test.untested ? { mean: false, failures: false } : questionsOf(test, start)
    return [
      ...(asked.mean ? [{ of, part: 'mean' as const, p }] : []),
      ...(asked.mean && sides ? [{ of, part: 'above' as const, p: sides.above }] : []),
      ...(asked.mean && sides ? [{ of, part: 'below' as const, p: sides.below }] : []),
      ...(asked.failures && failures ? [{ of, part: 'failures' as const, p: failures.p }] : []),
    ]
  })
  const decided = stepDown(hypotheses, comparisons, studies)
  return tests.map((test, index): Test => {
    const own = (part: Hypothesis['part']) => decided.find(({ of, part: each }) => of === index && each === part)
    const { p, smallest, sides, failures } = test
    const level = decided.find(({ of, shown }) => of === index && !shown)?.level ?? start
    const mean = own('mean') ?? { p, adjusted: 1, shown: false, level }
    const [above, below] = [own('above'), own('below')]
    const failed = failures && (own('failures') ?? { p: failures.p, adjusted: 1, shown: false, level })
    return {
      ...{ p, adjusted: mean.adjusted, shown: mean.shown, level: mean.level },
      tooFew: !mean.shown && smallest > mean.level,
      passed: decided.every(({ of, part, shown }) => of !== index || shown || part === 'above' || part === 'below'),
      ...(sides && { within: shownSides(above, below, sides, mean.level) }),
      ...(failed && { failures: failed }),
    }
  })
}

/** Which questions of a comparison take a share of its level. */
function questionsOf({ smallest, sides, failures }: PValue, level: number): { mean: boolean; failures: boolean } {
  const least = sides ? Math.min(smallest, smallestOneSided(sides.seeds)) : smallest
  const other = failures?.smallest ?? 1
  if (least > level || other > level) return { mean: least <= level || other > level, failures: other <= level }
  const both = least <= level / 2 || other <= level / 2
  return { mean: true, failures: both }
}

/** Decides hypotheses, the smallest p for its level first; what is not shown keeps the level that is left for it at the end. */
function stepDown(hypotheses: readonly Hypothesis[], comparisons: number, studies: number): (Hypothesis & Decided)[] {
  const open = new Set(hypotheses)
  const untested = comparisons - new Set(hypotheses.map(({ of }) => of)).size // these keep their share
  const divisorOf = ({ of }: Hypothesis) => {
    const all = [...open]
    const isFailures = all.filter((each) => each.of === of).map(({ part }) => part === 'failures')
    return (untested + new Set(all.map((each) => each.of)).size) * new Set(isFailures).size * studies
  }
  const decided: (Hypothesis & Decided)[] = []
  let levels: Map<Hypothesis, number> | null = null
  let largest = 0
  while (open.size > 0) {
    const [next, times] = [...open]
      .map((each): [Hypothesis, number] => [each, each.p * divisorOf(each)])
      .reduce((found, each) => (each[1] < found[1] ? each : found))
    if (times > ALPHA * (1 + 1e-12)) levels ??= new Map([...open].map((each) => [each, ALPHA / divisorOf(each)]))
    largest = Math.min(1, Math.max(largest, times))
    const level = levels?.get(next) ?? ALPHA / divisorOf(next)
    decided.push({ ...next, adjusted: largest, shown: levels === null, level })
    open.delete(next)
  }
  return decided
}

function shownSides(
  above: Decided | undefined,
  below: Decided | undefined,
  { seeds }: Sides,
  level: number,
): ShownSides {
  const own = Math.max(above?.shown ? above.level : 0, below?.shown ? below.level : 0) || (above?.level ?? level)
  return {
    above: above?.shown ?? false,
    below: below?.shown ?? false,
    adjusted: Math.max(above?.adjusted ?? 1, below?.adjusted ?? 1),
    level: own,
    tooFew: !(above?.shown && below?.shown) && smallestOneSided(seeds) > own,
  }
}
