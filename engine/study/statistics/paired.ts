import type { ComparedRun, SeedPair, VerdictsInput, Which } from './types.ts'

/** The pairs of a paired test: runs of a variant and of the baseline, by seed, and the seeds without a pair. */
export interface Pairs {
  pairs: SeedPair[]
  /** Seeds without a pair. */
  missing: number[]
  /** Runs that are done, and whose value is not a number. */
  broken: ComparedRun[]
}

/** Pairs the runs of a variant and of the baseline that have the same seed. Only done ones count, of several the newest. */
export function pairsOf(variant: string, { metric, which = 'last', runs, baseline, seeds }: VerdictsInput): Pairs {
  const ours = newestDone(runs, variant)
  const theirs = newestDone(runs, baseline)
  const all = new Set([...(seeds ?? []), ...runs.map((run) => run.seed)])
  const found = { pairs: [] as SeedPair[], missing: [] as number[] }
  for (const seed of [...all].sort((a, b) => a - b)) {
    const [run, other] = [ours.get(seed), theirs.get(seed)]
    const value = run && valueIn(run, metric, which)
    const base = other && valueIn(other, metric, which)
    if (run && other && Number.isFinite(value) && Number.isFinite(base)) {
      const pair = { value: value as number, baseline: base as number }
      found.pairs.push({ seed, runs: [run.id, other.id], ...pair, difference: pair.value - pair.baseline })
    } else found.missing.push(seed)
  }
  const broken = [...ours.values(), ...theirs.values()].filter(
    (run) => run.metrics[metric] && !Number.isFinite(valueIn(run, metric, which)),
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
