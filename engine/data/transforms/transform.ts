import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import { keyed } from '../../records/keyed.ts'
import { digest } from '../digest.ts'
import type { Form } from '../form.ts'
import { specOf } from '../spec.ts'
import type { DataSpec, DatasetKind, FieldDataset } from '../types.ts'

type Data = DataSpec | string

/** What a transform makes of examples; what it leaves out stays as it is in the first data set. */
type Changed = Partial<Omit<FieldDataset, 'name' | 'hash'>>

/** A change of any data set, whose options are those of `schema`, after the data sets that it is made of. */
export interface Transform {
  name: string
  schema: z.ZodObject
  /** The options that are data sets. */
  sources: readonly string[]
  /** Throws MixlabError `option` where the examples are of a sort that it cannot change. */
  apply(sources: FieldDataset[], options: Record<string, unknown>): Changed
}

/** A transform. FieldDataset are read as before and changed on the way; nothing is kept of them. */
export function transform<Shape extends z.ZodRawShape>(
  name: string,
  sources: readonly string[],
  shape: Shape,
  apply: (sources: [FieldDataset, ...FieldDataset[]], options: z.output<z.ZodObject<Shape>>) => Changed,
): Transform {
  const of = Object.fromEntries(sources.map((source) => [source, z.unknown()]))
  return { name, schema: z.strictObject({ ...of, ...shape }), sources, apply: apply as Transform['apply'] }
}

/** A spec of a transform. Throws MixlabError `option` where something else than a data set is given. */
export function transformed(name: string, given: Record<string, unknown>, sources: readonly string[]): DataSpec {
  for (const source of sources) {
    const data = given[source]
    const isData = typeof data === 'string' || (typeof data === 'object' && data !== null && 'dataset' in data)
    if (!isData) throw new MixlabError('option', name, 'expected a data set first, e.g. shapes() or its name')
  }
  const options = Object.entries(given).filter(([, value]) => value !== undefined)
  return specOf(name, Object.fromEntries(options))
}

interface Table<Opened> {
  resolve(spec: Data): DataSpec
  open(spec: Data, files: Parameters<DatasetKind<Opened>['open']>[1]): Promise<Opened>
}

/** A transform of the data sets of a table, as an entry of it. */
export function transformKind<Opened>(
  { name, schema, sources, apply }: Transform,
  form: Form<Opened>,
  table: () => Table<Opened>,
): DatasetKind<Opened> {
  const resolve = (given: Record<string, unknown>) => {
    const options: Record<string, unknown> = parseOptions(schema, given, `task.data, ${name}`)
    const resolved = sources.map((source) => [source, table().resolve(options[source] as Data)] as const)
    return { ...options, ...Object.fromEntries(resolved) }
  }
  return {
    name,
    resolve,
    open: async (given, files) => {
      const options = resolve(given)
      const opened = sources.map((source) => table().open((options as Record<string, unknown>)[source] as Data, files))
      const examples = (await Promise.all(opened)).map((each) => form.examples(each))
      const own = Object.entries(keyed(options, [], resolve)).filter(([option]) => !sources.includes(option))
      const [first] = examples as [FieldDataset]
      const hash = digest(JSON.stringify([name, examples.map((each) => each.hash), own.sort(byName)]))
      return form.data({ ...first, ...apply(examples, options), name: `${name}(${first.name})`, hash })
    },
  }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
