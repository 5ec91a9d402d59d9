import type { Dataset, Split } from '../data/types.ts'
import { TEST, VALIDATION } from '../records/splits.ts'

/** The splits of a data set that the last evaluation of a run goes over, by the first part of the names of their metrics. */
export function testsOf({ others = {} }: Pick<Dataset<unknown>, 'others'>): string[] {
  return [TEST, ...Object.keys(others)]
}

/** The first `examples` examples, or all, of `validation` or of a split of `testsOf`. Throws for another name. */
export function evaluated<Batch>(
  { validation, test, others }: Pick<Dataset<Batch>, 'validation' | 'test' | 'others'>,
  name: string,
  examples = Number.POSITIVE_INFINITY,
): Split<Batch> {
  const split = { [VALIDATION]: validation, [TEST]: test, ...others }[name]
  if (!split) throw new RangeError(`no split '${name}' to evaluate`)
  return { size: Math.min(examples, split.size), read: split.read }
}
