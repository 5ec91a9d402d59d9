import { MixlabError } from '../../engine/errors.ts'

/** The most tasks that are made where nobody says how many: Slurm's own limit is 1,001. */
const MOST_TASKS = 100

/** The tasks of an array. */
export interface Tasks {
  indices: number[]
  /** As sbatch takes them. */
  text: string
  /** The options without those of the array. */
  others: string[]
}

/**
 * The tasks that `--array A-B` or `A-B%C` among options of sbatch asks for, or one for each of so many runs. Throws
 * MixlabError `option` for another form.
 */
export function tasksOf(options: readonly string[], runs: number): Tasks {
  const at = options.findIndex((word) => /^(--array|-a)(=|$)/.test(word))
  if (at < 0) {
    const count = Math.min(runs, MOST_TASKS)
    return { indices: range(0, count - 1), text: `0-${count - 1}`, others: [...options] }
  }
  const [, joined] = /^[^=]+=(.*)$/.exec(options[at] ?? '') ?? []
  const text = joined ?? options[at + 1] ?? ''
  const [, first, last] = /^(\d+)-(\d+)(?:%\d+)?$/.exec(text) ?? []
  if (last === undefined || Number(first) > Number(last)) {
    throw new MixlabError(
      'option',
      '--array',
      `'${text}', expected tasks from a first to a last one, such as 0-15 or 0-15%8`,
    )
  }
  const others = options.filter((_, i) => i !== at && (joined !== undefined || i !== at + 1))
  return { indices: range(Number(first), Number(last)), text, others }
}

/** The shares of some tasks in keys: every so many one, so that those with long runs do not fall to one task. */
export function sharesOf(keys: readonly string[], indices: readonly number[]): Map<number, string[]> {
  return new Map(indices.map((index, i) => [index, keys.filter((_, at) => at % indices.length === i)]))
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)
