import { digest } from '../data/digest.ts'
import { firstOf, keyed, laterOf } from '../records/keyed.ts'
import { kindOf } from './kinds.ts'
import { resolveTokenizer } from './tokenizer.ts'
import type { Task, TaskSpec } from './types.ts'

/** What stands for the data of a task in a spec: the hash of the task, which has its first options, with those of later. */
export function keyedData(spec: Omit<TaskSpec, 'kind'>, { hash, hashed }: Pick<Task, 'hash' | 'hashed'>): string {
  if (hashed) return hash
  const { task: name, options } = spec
  const later = [
    ...laterOf(name, keyed(options, firstOf(name), kindOf(spec).resolve)),
    ...laterOf('tokenizer', keyed(options.tokenizer ?? {}, firstOf('tokenizer'), resolveTokenizer)),
  ]
  const own = later.filter(([option]) => option !== 'data') // is in the hash, whatever it is called
  return own.length > 0 ? digest(JSON.stringify([hash, own])) : hash
}
