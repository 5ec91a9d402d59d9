import { meaningIn } from '../../records/meaning.ts'
import { countsDiverged, hasDiverged, newestEnded } from './diverged.ts'
import type { SeedNumber } from './scores.ts'
import type { ComparedRun, SeedPair, VerdictsInput, Which } from './types.ts'

/** The pairs of a paired test: runs of a variant and of the baseline, by seed, and the seeds without a pair. */
export interface Pairs {
  pairs: SeedPair[]
  /** Seeds of which a run diverged, where that is an outcome, with the runs. */
  lost: (SeedNumber & { runs: readonly [ComparedRun, ComparedRun] })[]
  /** Seeds without a pair. */
  missing: number[]
  /** Runs that are done, and whose value is not a number. */
  broken: ComparedRun[]
}

/**
 * Pairs the runs of a variant and of the baseline that have the same seed. Only done ones count, of several the newest; and
 * those that diverged, where that is an outcome: one loses to a run that did not, and two are equal.
 */
export function pairsOf(variant: string, input: VerdictsInput): Pairs {
  const { metric, which = 'last', runs, baseline, seeds, design } = input
  const { better } = meaningIn(runs, metric)
  const ended = better && countsDiverged(design) ? newestEnded : newestDone
  const worst = better === 'lower' ? Infinity : -Infinity
  const ours = ended(runs, variant)
  const theirs = ended(runs, baseline)
  const all = new Set([...(seeds ?? []), ...runs.map((run) => run.seed)])
  const found: Omit<Pairs, 'broken'> = { pairs: [], lost: [], missing: [] }
  for (const seed of [...all].sort((a, b) => a - b)) {
    const [run, other] = [ours.get(seed), theirs.get(seed)]
    const values = [run, other].map((each) => each && valueIn(each, metric, which))
    const diverged = [run, other].filter((each) => each && hasDiverged(each))
    const isKnown = [run, other].every((each, i) => each && (hasDiverged(each) || Number.isFinite(values[i])))
    if (!run || !other || !isKnown) found.missing.push(seed)
    else if (diverged.length > 0) {
      const number = diverged.length === 2 ? 0 : hasDiverged(run) ? worst : -worst
      found.lost.push({
        seed,
        number,
        size: 0,
        diverged: diverged.map((each) => each?.variant ?? ''),
        runs: [run, other],
      })
    } else {
      const [value, base] = values as [number, number]
      found.pairs.push({ seed, runs: [run.id, other.id], value, baseline: base, difference: value - base })
    }
  }
  const broken = [...ours.values(), ...theirs.values()].filter(
    (run) => run.metrics[metric] && !hasDiverged(run) && !Number.isFinite(valueIn(run, metric, which)),
  )
  return { ...found, broken }
}

/** The value of a run that counts. */
export function valueIn(run: ComparedRun, metric: string, which: Which): number | undefined {
  return run.metrics[metric]?.[which]
}

/** The runs of a variant that are done, by seed; of several the newest. */
export function newestDone(runs: readonly ComparedRun[], variant: string): Map<number, ComparedRun> {
  const newest = new Map<number, ComparedRun>()
  for (const run of runs) {
    if (run.variant !== variant || run.status !== 'done') continue
    if (run.id >= (newest.get(run.seed)?.id ?? run.id)) newest.set(run.seed, run)
  }
  return newest
}
