import { MixlabError } from '../../errors.ts'
import { fieldsText, mapSplits } from '../form.ts'
import { checkIndices } from '../indices.ts'
import type { DataSpec, FieldBatch, FieldDataset, Split } from '../types.ts'
import { transform, transformed } from './transform.ts'

export const mixedTransform = transform('mixed', ['data', 'with'], {}, ([a, ...others]) => {
  const [b] = others as [FieldDataset]
  checkAlike(a, b)
  const warnings = [...(a.warnings ?? []), ...(b.warnings ?? [])]
  const { others: _, ...parts } = a
  const both = mapSplits(parts, (split, part) => behind(split, b[part as 'train'], a.fields))
  return { ...both, others: { ...a.others, ...b.others }, ...(warnings.length > 0 && { warnings }) }
})

/** Two data sets as one: each part has the examples of both. They have the same fields and classes. */
export function mixed(data: DataSpec | string, other: DataSpec | string): DataSpec {
  return transformed('mixed', { data, with: other }, ['data', 'with'])
}

function checkAlike(a: FieldDataset, b: FieldDataset): void {
  const count = ({ fields }: FieldDataset) => (fields.label ?? fields.target)?.classes?.length ?? 0
  const said = (data: FieldDataset) => `'${data.name}' has ${fieldsText(data.fields)}, ${count(data)} classes`
  const facts = (data: FieldDataset) =>
    JSON.stringify([
      Object.entries(data.fields)
        .map(([name, { dtype, shape }]) => [name, dtype, shape])
        .sort(),
      count(data),
    ])
  if (facts(a) === facts(b)) return
  throw new MixlabError('option', 'mixed', `${said(a)}; ${said(b)}: they have to be alike`)
}

/** The examples of one split, then those of another. */
function behind(
  first: Split<FieldBatch>,
  second: Split<FieldBatch>,
  fields: FieldDataset['fields'],
): Split<FieldBatch> {
  const size = first.size + second.size
  const read: Split<FieldBatch>['read'] = async (indices, draw) => {
    checkIndices(indices, size)
    const all = Array.from(indices)
    const isFirst = (index: number) => index < first.size
    const inSecond = all.filter((index) => !isFirst(index)).map((index) => index - first.size)
    const [ofFirst, ofSecond] = await Promise.all([first.read(all.filter(isFirst), draw), second.read(inSecond, draw)])
    const places: [number, number] = [0, 0]
    const turns = all.map((index): [0 | 1, number] => {
      const from = isFirst(index) ? 0 : 1
      return [from, places[from]++]
    })
    return Object.fromEntries(
      Object.entries(fields).map(([name, { shape }]) => [
        name,
        woven([ofFirst[name], ofSecond[name]] as [FieldBatch[string], FieldBatch[string]], turns, shape),
      ]),
    )
  }
  return { size, read }
}

/** Values of two batches in the order of `turns`: of which of them each example is, and where. */
function woven(
  sources: [FieldBatch[string], FieldBatch[string]],
  turns: [0 | 1, number][],
  shape: readonly number[],
): FieldBatch[string] {
  const [first] = sources
  if (Array.isArray(first)) return turns.map(([from, at]) => (sources[from] as string[])[at] as string)
  const length = shape.reduce((all, side) => all * side, 1)
  const values =
    first instanceof Int32Array ? new Int32Array(turns.length * length) : new Float32Array(turns.length * length)
  for (const [i, [from, at]] of turns.entries()) {
    const source = sources[from] as Float32Array | Int32Array
    values.set(source.subarray(at * length, (at + 1) * length), i * length)
  }
  return values
}
