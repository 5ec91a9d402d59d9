import { z } from 'zod'
import { MixlabError, quoted } from '../errors.ts'
import { type Key, keyOf, permutation } from '../random.ts'
import { checkIndices } from './indices.ts'
import type { Pool, Split } from './types.ts'

/** The options that every data set has beside its own, unless it has one of the same name with a meaning of its own. */
export const splitShape = {
  /**
   * The share of the training examples that is kept from training, to choose by: drawn by class. Of a generated set as
   * many are drawn beside those to train on. A source with a validation part of its own has that.
   */
  validation: z.number().gt(0).lt(1).default(0.1),
  /** Training examples, drawn by class; all that are left by default. */
  train: z.int().min(1).optional(),
  /** Decides which examples are for training and which for validation. */
  seed: z.int().min(0).default(0),
}

/** How many examples of a part of a generated set may be asked for. */
export const generatedCount = z.int().min(1).max(1_000_000)

/** The options of a source whose training file can be named: by `train`, or beside a number of examples by `trainFile`. */
export const trainFileShape = {
  train: z.string().min(1).or(z.int().min(1)).optional(),
  trainFile: z.string().min(1).optional(),
}

/** The name of the training file, if any. Throws MixlabError `option` where it is named twice. */
export function trainFileOf({
  train,
  trainFile,
}: {
  train?: unknown
  trainFile?: string | undefined
}): string | undefined {
  if (typeof train !== 'string') return trainFile
  if (trainFile === undefined) return train
  const what = `'${train}' beside trainFile: '${trainFile}', expected one name, or a number of examples`
  throw new MixlabError('option', 'task.data.train', what)
}

/** What those options are once resolved; `train` may be something else, such as the name of a file. */
export interface SplitOptions {
  validation: number
  train?: unknown
  seed: number
}

/** The examples to divide; errors name the classes. */
interface Divisible<Batch> {
  train: Pool<Batch>
  validation?: Split<Batch> | undefined
  classes?: readonly string[]
}

/** Examples to validate beside `train` drawn ones: as many as would be cut off so that `train` are left. */
export function validationCountBeside({ train, validation }: { train: number; validation: number }): number {
  return Math.max(1, Math.round((train * validation) / (1 - validation)))
}

/** For a source with a validation part of its own, called `place`. Throws MixlabError `option` if the user gives a share. */
export function checkOwnValidation(validation: number, place: string): void {
  if (validation === splitShape.validation.parse(undefined)) return
  const what = `${validation}, but ${place} is the validation part; leave the option out`
  throw new MixlabError('option', 'task.data.validation', what)
}

/**
 * Divides examples into those to train on and those to validate on, by class where they have labels, and no group into
 * both; both keep the order of `pool`. A validation part that the source has stays as it is. Test examples are not
 * concerned. Throws MixlabError `option` for a part that leaves no training example of a class, and for more or fewer
 * training examples than there can be, and `data` where there are too few for two parts.
 */
export function splitThreeWays<Batch>(
  { train: pool, validation: given, classes }: Divisible<Batch>,
  { validation, train: wanted, seed }: SplitOptions,
): { train: Split<Batch>; validation: Split<Batch> } {
  const held = new Set(given ? [] : validationAmong(pool, validation, seed, classes))
  const left = Array.from({ length: pool.size }, (_, i) => i).filter((i) => !held.has(i))
  const kept = typeof wanted === 'number' ? trainingAmong(pool, left, wanted, seed) : left
  return {
    train: kept.length === pool.size ? pool : subset(pool, kept),
    validation: given ?? subset(pool, [...held].sort(ascending)),
  }
}

function validationAmong(
  { size, labels, groups }: Pool<unknown>,
  share: number,
  seed: number,
  classes: readonly string[] | undefined,
): number[] {
  const units = groups ? [...new Set(Array.from(groups))] : Array.from({ length: size }, (_, i) => i)
  const order = stratifiedOrder(units, groups ? undefined : labels, (name) => keyOf(seed, `validation/${name}`))
  // the last of each class stays for training
  const free = order.filter(({ isLast }) => !isLast).map(({ member }) => member)
  if (free.length === 0) {
    const what = groups ? 'all examples belong together' : `no class has more than 1 of ${size} training examples`
    throw new MixlabError('data', 'task.data', `${what}, expected more to hold some out for validation`)
  }
  const count = Math.max(1, Math.round(units.length * share))
  if (count > free.length) {
    const { label } = order.find(({ isLast }) => isLast) as OrderedMember
    const what = labels
      ? `no training example of class ${quoted(classes?.[label] ?? String(label))}`
      : 'nothing to train on'
    const most = `at most ${free.length} of ${units.length} can be spared`
    throw new MixlabError('option', 'task.data.validation', `${share} leaves ${what}; ${most}`)
  }
  const chosen = new Set(free.slice(0, count))
  return Array.from({ length: size }, (_, i) => i).filter((i) => chosen.has(groups ? (groups[i] as number) : i))
}

function trainingAmong({ labels }: Pool<unknown>, left: number[], wanted: number, seed: number): number[] {
  const present = new Set(left.map((i) => labels?.[i] ?? 0)).size
  if (wanted > left.length || wanted < present) {
    const least =
      wanted < present ? `at least ${present}, one of each class` : `at most ${left.length}, all that are left`
    throw new MixlabError('option', 'task.data.train', `${wanted}, expected ${least}`)
  }
  const order = stratifiedOrder(left, labels, (name) => keyOf(seed, `train/${name}`), true)
  return order
    .slice(0, wanted)
    .map(({ member }) => member)
    .sort(ascending)
}

/** A member in an order, and whether it is the last of its class. */
interface OrderedMember {
  member: number
  label: number
  isLast: boolean
}

/**
 * Orders members, drawn by `key`, so that the first n, for every n, have each class in its share; with `first`, one
 * member of each class comes before a second of any.
 */
function stratifiedOrder(
  members: readonly number[],
  labels: ArrayLike<number> | undefined,
  key: (name: string) => Key,
  first = false,
): OrderedMember[] {
  const byClass = [...Map.groupBy(members, (i) => labels?.[i] ?? 0)]
  const turns = permutation(key('turns'), byClass.length)
  const placed = byClass.flatMap(([label, own], c) => {
    const order = permutation(key(`class/${label}`), own.length)
    return own.map((_, rank) => {
      const at = first && rank === 0 ? 0 : (rank + 0.5) / own.length
      const member = own[order[rank] as number] as number
      return { member, label, isLast: rank === own.length - 1, at, turn: turns[c] as number }
    })
  })
  return placed.sort((a, b) => a.at - b.at || a.turn - b.turn)
}

/** The examples `members` of a pool, with their classes where it has them. */
function subset<Batch>(split: Pool<Batch>, members: readonly number[]): Pool<Batch> {
  const read: Pool<Batch>['read'] = async (indices, draw) => {
    checkIndices(indices, members.length)
    return split.read(
      Array.from(indices, (index) => members[index] as number),
      draw,
    )
  }
  const { labels, ahead } = split
  const own = ahead && ((indices: ArrayLike<number>) => ahead(Array.from(indices, (i) => members[i] as number)))
  return { size: members.length, read, ahead: own, ...(labels && { labels: members.map((i) => labels[i] as number) }) }
}

const ascending = (a: number, b: number) => a - b
