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
 * The tasks that `--array` among options of sbatch asks for, in any form of it: `0-15`, `1,3,5-7`, `0-15:4`, each with `%8`
 * behind it; or one for each of so many runs. Throws MixlabError `option` for another form.
 */
export function tasksOf(options: readonly string[], runs: number): Tasks {
  const at = options.findIndex((word) => /^(--array|-a)(=|$)/.test(word))
  if (at < 0) {
    const count = Math.min(runs, MOST_TASKS)
    return { indices: range(0, count - 1), text: `0-${count - 1}`, others: [...options] }
  }
  const [, joined] = /^[^=]+=(.*)$/.exec(options[at] ?? '') ?? []
  const text = joined ?? options[at + 1] ?? ''
  const [, list = ''] = /^([\d,:-]+)(?:%[1-9]\d*)?$/.exec(text) ?? []
  const indices = [...new Set(list.split(',').flatMap(partOf))]
  if (indices.length === 0 || indices.includes(Number.NaN)) {
    throw new MixlabError(
      'option',
      '--array',
      `'${text}', expected tasks as sbatch has them: 0-15, 0-15%8, 1,3,5-7, 0-15:4`,
    )
  }
  const others = options.filter((_, i) => i !== at && (joined !== undefined || i !== at + 1))
  return { indices, text, others }
}

/** The shares of some tasks in keys: every so many one, so that those with long runs do not fall to one task. */
export function sharesOf(keys: readonly string[], indices: readonly number[]): Map<number, string[]> {
  return new Map(indices.map((index, i) => [index, keys.filter((_, at) => at % indices.length === i)]))
}

/** The tasks of a part of a list, `5`, `0-15` or `0-15:4`; NaN for another one. */
function partOf(part: string): number[] {
  const [, first, last = first, step = 1] = /^(\d{1,7})(?:-(\d{1,7})(?::([1-9]\d*))?)?$/.exec(part) ?? []
  if (first === undefined || Number(first) > Number(last)) return [Number.NaN]
  return range(Number(first), Number(last)).filter((index) => (index - Number(first)) % Number(step) === 0)
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)
