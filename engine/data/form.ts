import { MixlabError } from '../errors.ts'
import type { Dataset, Field, FieldBatch, FieldDataset, Split } from './types.ts'

/** A sort of data sets as examples by field, and back. */
export interface Form<Data> {
  examples(data: Data): FieldDataset
  /** Throws MixlabError `option` where the examples have other fields. */
  data(examples: FieldDataset): Data | Promise<Data>
}

/** Every split of a data set, its further tests too, changed in one way; `part` names the split. */
export function mapSplits<From, To>(
  { train, validation, test, others }: Pick<Dataset<From>, 'train' | 'validation' | 'test' | 'others'>,
  change: (split: Split<From>, part: string) => Split<To>,
): Pick<Dataset<To>, 'train' | 'validation' | 'test' | 'others'> {
  const more = Object.entries(others ?? {}).map(([name, split]) => [name, change(split, name)] as const)
  return {
    train: change(train, 'train'),
    validation: change(validation, 'validation'),
    test: change(test, 'test'),
    ...(others && { others: Object.fromEntries(more) }),
  }
}

/** A split whose batches are changed as they are read. */
export function mapped<From, To>({ read, ...split }: Split<From>, change: (batch: From) => To): Split<To> {
  return { ...split, read: async (...given) => change(await read(...given)) }
}

/** A data set with its batches changed, and what is said of it kept. */
export function converted<From, To>(data: Dataset<From>, change: (batch: From) => To): Dataset<To> {
  const { name, hash, warnings, unreadable, check } = data
  return {
    ...{ name, hash, ...mapSplits(data, (split) => mapped(split, change)) },
    ...(warnings && { warnings }),
    ...(unreadable !== undefined && { unreadable }),
    ...(check && { check }),
  }
}

/** What a field has to be: of so many axes, or a text. */
type Wanted = { rank: number } | 'text'

/** The shapes of fields that a sort of data needs. Throws MixlabError `option` where one is missing or of another shape. */
export function fieldsOf<Name extends string>(
  { name, fields }: Pick<FieldDataset, 'name' | 'fields'>,
  wanted: Record<Name, Wanted>,
): Record<Name, readonly number[]> {
  const found = Object.entries<Wanted>(wanted).map(([field, want]) => {
    const own = fields[field]
    const fits =
      own && (want === 'text' ? own.dtype === 'text' : own.dtype !== 'text' && own.shape.length === want.rank)
    if (fits) return [field, own.shape]
    const what = Object.entries<Wanted>(wanted).map(([each, of]) => `${each} (${wantedText(of)})`)
    throw new MixlabError(
      'option',
      `data set '${name}'`,
      `has ${fieldsText(fields)}; the task takes ${what.join(', ')}`,
    )
  })
  return Object.fromEntries(found) as Record<Name, readonly number[]>
}

/** Fields in words: `image [8, 8, 1], label`. */
export function fieldsText(fields: Record<string, Field>): string {
  return Object.entries(fields)
    .map(
      ([name, { dtype, shape }]) =>
        `${name}${dtype === 'text' ? ' (a text)' : shape.length > 0 ? ` [${shape.join(', ')}]` : ''}`,
    )
    .join(', ')
}

function wantedText(wanted: Wanted): string {
  if (wanted === 'text') return 'a text'
  return wanted.rank === 0 ? 'a number' : `${wanted.rank} ${wanted.rank === 1 ? 'axis' : 'axes'}`
}

/** The numbers of a field of a batch, as floats. */
export function floats(batch: FieldBatch, field: string): Float32Array {
  const values = batch[field] as Float32Array | Int32Array
  return values instanceof Float32Array ? values : Float32Array.from(values)
}

/** The numbers of a field of a batch, as whole numbers. */
export function whole(batch: FieldBatch, field: string): Int32Array {
  const values = batch[field] as Float32Array | Int32Array
  return values instanceof Int32Array ? values : Int32Array.from(values)
}

/** The classes of a field. Throws MixlabError `option` where there are fewer than two. */
export function classesOf({ name, fields }: Pick<FieldDataset, 'name' | 'fields'>, field = 'label'): string[] {
  const { classes = [] } = fields[field] ?? {}
  if (classes.length >= 2) return [...classes]
  throw new MixlabError('option', `data set '${name}'`, `has ${classes.length} classes, expected 2 or more`)
}
