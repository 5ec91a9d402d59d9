import { MixlabError, quoted } from '../../engine/errors.ts'

/** The most tasks that are made unless `--array` says how many: Slurm's own limit is 1,001. */
const DEFAULT_TASKS = 100

/** More tasks than an array has on any cluster by default: each is a file. */
const MAX_TASKS = 10_000

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
    const count = Math.min(runs, DEFAULT_TASKS)
    return { indices: range(0, count), text: `0-${count - 1}`, others: [...options] }
  }
  const [, joined] = /^[^=]+=(.*)$/.exec(options[at] ?? '') ?? []
  const text = joined ?? options[at + 1] ?? ''
  const [, list = ''] = /^([\d,:-]+)(?:%[1-9]\d*)?$/.exec(text) ?? []
  const parts = list.split(',').map(partOf)
  const wrong = (why: string) => new MixlabError('option', '--array', `${quoted(text)}, expected ${why}`)
  if (parts.includes(null)) throw wrong('tasks as sbatch has them: 0-15, 0-15%8, 1,3,5-7, 0-15:4')
  const steps = (parts as Part[]).map(({ first, last, step }) => Math.floor((last - first) / step) + 1)
  if (steps.reduce((sum, each) => sum + each, 0) > MAX_TASKS) throw wrong(`at most ${MAX_TASKS} tasks`)
  const indices = [...new Set((parts as Part[]).flatMap(({ first, step }, i) => range(first, steps[i] ?? 0, step)))]
  const others = options.filter((_, i) => i !== at && (joined !== undefined || i !== at + 1))
  return { indices, text, others }
}

/** The shares of some tasks in keys: every so many one, so that those with long runs do not fall to one task. */
export function sharesOf(keys: readonly string[], indices: readonly number[]): Map<number, string[]> {
  return new Map(indices.map((index, i) => [index, keys.filter((_, at) => at % indices.length === i)]))
}

interface Part {
  first: number
  last: number
  step: number
}

/** A part of a list, `5`, `0-15` or `0-15:4`; null for another text. */
function partOf(text: string): Part | null {
  const [, first, last = first, step = 1] = /^(\d{1,7})(?:-(\d{1,7})(?::([1-9]\d*))?)?$/.exec(text) ?? []
  const part = { first: Number(first), last: Number(last), step: Number(step) }
  return part.first <= part.last ? part : null
}

const range = (first: number, count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, i) => first + i * step)
