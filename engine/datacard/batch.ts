import * as tf from '@tensorflow/tfjs-core'
import { readTokenizer } from '../data/tokenizers/index.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import type { Batch, Preparation, Task } from '../tasks/types.ts'
import { classPart, imagePart, maskPart, partOf, pointsPart, seriesPart, sharesPart } from './parts.ts'
import type { Sample, SamplePart } from './schema.ts'
import { rowTokens } from './tokens.ts'

/** Values of one example of a tensor of a batch. */
interface Row {
  values: Float32Array | Int32Array
  shape: number[]
  dtype: 'float32' | 'int32'
}

/** The first `count` examples of a batch, as the model gets them and is asked for. The batch stays the caller's. */
export async function batchSamples(task: Task, batch: Batch, count: number): Promise<Sample[]> {
  const tensors = Object.entries(batch)
  const all = await Promise.all(tensors.map(async ([name, tensor]) => [name, tensor, await tensor.data()] as const))
  const shown = Math.min(count, batch.input.shape[0] ?? 0)
  const saved = task.files?.['tokenizer.json']
  const tokenizer = saved === undefined ? null : readTokenizer(saved)
  return Array.from({ length: shown }, (_, i) => {
    const rows = all.map(([name, tensor, values]): [string, Row] => {
      const size = tf.util.sizeFromShape(tensor.shape.slice(1))
      const own = (values as Float32Array).subarray(i * size, (i + 1) * size)
      return [name, { values: own, shape: tensor.shape.slice(1), dtype: tensor.dtype as Row['dtype'] }]
    })
    return { title: String(i), parts: partsOf(Object.fromEntries(rows), task, tokenizer) }
  })
}

type Rows = Record<string, Row> & { input: Row }

function partsOf(rows: Record<string, Row>, task: Task, tokenizer: Tokenizer | null): Sample['parts'] {
  const { input } = rows as Rows
  const { preparation: how } = task
  if (how?.kind === 'text' && tokenizer) return textParts(rows as Rows, task, tokenizer)
  if (how?.kind === 'series') return [{ name: 'series', part: joinedSeries(rows as Rows, how) }]
  return [
    { name: 'input', part: inputPart(input, how) },
    ...(rows.target ? [{ name: 'target', part: targetPart(rows.target, task.classes) }] : []),
  ]
}

/** What a model reads, in the units of the data where these are known. */
function inputPart({ values, shape, dtype }: Row, how: Preparation | undefined): SamplePart {
  if (how?.kind === 'points') return pointsPart(values)
  if (how?.kind !== 'image' || shape.length !== 3) return partOf('input', values, { shape, dtype })
  const { mean, deviation, channels } = how
  const pixels = Float32Array.from(values, (value, i) => {
    return Math.max(0, Math.min(1, value * (deviation[i % channels] ?? 1) + (mean[i % channels] ?? 0)))
  })
  return imagePart(pixels, shape)
}

function targetPart({ values, shape, dtype }: Row, classes: readonly string[] | undefined): SamplePart {
  if (!classes) return partOf('target', values, { shape, dtype })
  if (shape.length === 0) return classPart(classes, values[0] ?? 0)
  return shape.length === 2 ? maskPart(values, shape, classes) : sharesPart(classes, values)
}

/** Steps that are read and steps that are forecast, in one line. */
function joinedSeries({ input, target }: Rows, how: Extract<Preparation, { kind: 'series' }>): SamplePart {
  const { mean, deviation, channels, window } = how
  const all = [...input.values, ...(target?.values ?? [])]
  const own = all.map((value, i) => value * (deviation[i % channels] ?? 1) + (mean[i % channels] ?? 0))
  return seriesPart(own, channels, window)
}

function textParts(rows: Rows, { classes }: Task, tokenizer: Tokenizer): Sample['parts'] {
  const { input, target, mask, types, positions, weights, window } = rows
  const asked = positions && target ? placesOf(positions.values, target.values, weights?.values) : null
  const answer = window && target ? ([target.values[0] ?? 0, target.values[1] ?? 0] as const) : undefined
  const row = { ids: input.values, mask: mask?.values, types: types?.values, ...asked, answer }
  const read = { name: 'input', part: rowTokens(row, tokenizer) }
  if (asked || !target) return [read]
  if (answer)
    return answer[1] > 0 ? [read] : [read, { name: 'answer', part: { type: 'text', text: 'none in this window' } }]
  if (classes && target.shape.length <= 1) return [read, { name: 'label', part: targetPart(target, classes) }]
  if (target.shape.join() !== input.shape.join())
    return [read, { name: 'target', part: partOf('target', target.values, target) }]
  return [read, { name: 'next', part: rowTokens({ ids: target.values, mask: weights?.values }, tokenizer) }]
}

/** The places that are used, and what is asked for there. */
function placesOf(positions: ArrayLike<number>, targets: ArrayLike<number>, weights?: ArrayLike<number>) {
  const used = Array.from(positions, (_, i) => i).filter((i) => weights?.[i] !== 0)
  return { places: used.map((i) => positions[i] ?? 0), targets: used.map((i) => targets[i] ?? 0) }
}
