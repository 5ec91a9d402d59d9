import type { Dataset, Split } from '../data/types.ts'
import { keyOf, permutation } from '../random.ts'
import { TEST, TRAIN, VALIDATION } from '../records/splits.ts'

/** The splits of a data set that the last evaluation of a run goes over, by the first part of the names of their metrics. */
export function testsOf({ others = {} }: Pick<Dataset<unknown>, 'others'>): string[] {
  return [TEST, ...Object.keys(others)]
}

/**
 * The first `examples` examples, or all, of `validation` or of a split of `testsOf`; of `train` as many, drawn once and for
 * all, since its examples may lie class by class. Throws for another name.
 */
export function evaluated<Batch>(
  { train, validation, test, others }: Pick<Dataset<Batch>, 'train' | 'validation' | 'test' | 'others'>,
  name: string,
  examples = Number.POSITIVE_INFINITY,
): Split<Batch> {
  if (name === TRAIN) return drawnPart(train, examples)
  const split = { [VALIDATION]: validation, [TEST]: test, ...others }[name]
  if (!split) throw new RangeError(`no split '${name}' to evaluate`)
  return { ...split, size: Math.min(examples, split.size) }
}

/** So many examples of a split, in their order. */
function drawnPart<Batch>(split: Split<Batch>, examples: number): Split<Batch> {
  const size = Math.min(examples, split.size)
  const drawn = permutation(keyOf(0, 'part of the training examples'), split.size).slice(0, size).sort()
  const own = (indices: ArrayLike<number>) => Array.from(indices, (i) => drawn[i] as number)
  const { ahead } = split
  return { size, read: (indices) => split.read(own(indices)), ahead: ahead && ((indices) => ahead(own(indices))) }
}
