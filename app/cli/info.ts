import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import '@tensorflow/tfjs'
import { MAX_BYTES } from '../../engine/backends/simd/heap.ts'
import { type Fold, foldLayers } from '../../engine/cost/fold.ts'
import type { Layer } from '../../engine/cost/layers.ts'
import { publishedSize, stepBytesOfSize, traceSize } from '../../engine/cost/published.ts'
import { MixlabError } from '../../engine/errors.ts'
import { contentsOfModel } from '../../engine/export/formats/contents.ts'
import type { Patch } from '../../engine/nn/layers/patchEmbed.ts'
import type { CliCommand, Terminal } from './command.ts'
import { grouped, megabytes, wholeNumber } from './given/numbers.ts'
import { gatherFile } from './model/files.ts'
import { table } from './terminal/table.ts'

export const info: CliCommand = {
  name: 'info',
  synopsis: '<model or file>',
  summary:
    'layers, parameters, multiply-adds and memory of a published size, e.g. gmlp-s16; or the tensors of a file of weights',
  words: [1, 1],
  options: {
    batch: { value: 'N', help: 'examples in the training step whose memory is told (default: 64)' },
    patch: { value: 'P', help: 'with other patches: their side, or height x width as in 16x8' },
  },
  run: async (given, output) => {
    const { words, options } = given
    const model = words[0] ?? ''
    if (existsSync(model) || /[\\/]|\.\w+$/.test(model)) return tensorsOf(model, options.json === true, output)
    const batch = wholeNumber(given, 'batch', 1) ?? 64
    const { published, note } = publishedSize(model)
    const patch = patchOf(options.patch)
    const trace = await traceSize(model, patch)
    const { parameters, parametersWithoutHead, macs, activationBytes, trainingBytes } = trace
    const { tensors, layers, dispatches, trainingDispatches } = trace
    const inOperations = 12 * parameters + batch * trainingBytes // what cannot be recorded runs operation by operation
    const stepBytes = await stepBytesOfSize(model, batch, availableParallelism(), patch).catch(() => inOperations)
    if (options.json) {
      const counts = { parametersWithoutHead, layers, activationBytes, trainingBytes, dispatches, trainingDispatches }
      output.out(JSON.stringify({ model, parameters, macs, tensors, ...counts, batch, stepBytes }))
      return 0
    }
    const rows = foldLayers(layers).flatMap(rowsOf)
    for (const line of table(['layer', 'output', 'parameters', 'multiply-adds'], rows)) output.out(line)
    output.out('')
    const totals = [
      ['parameters', `${grouped(parameters)}, without the head ${grouped(parametersWithoutHead)}`],
      ['multiply-adds', `${grouped(macs)} forward`],
      ['activations', `${megabytes(activationBytes)} forward, ${megabytes(trainingBytes)} forward and backward`],
      ['dispatches', `${grouped(dispatches)} forward, ${grouped(trainingDispatches)} in a training step with AdamW`],
      [
        'training step',
        `${megabytes(stepBytes)} in batches of ${grouped(batch)}, with AdamW on simd${excess(stepBytes)}`,
      ],
      ...(published && patch === undefined
        ? [['published', `${published} M parameters${note ? `; ${note}` : ''}`]]
        : []),
    ]
    for (const line of table([model, 'for a batch of one'], totals)) output.out(line)
    return 0
  },
}

/** Prints the tensors of a file of weights, and what of it is left out. */
async function tensorsOf(path: string, json: boolean, output: Terminal): Promise<number> {
  const { parts } = await gatherFile(path)
  const { tensors, left } = contentsOfModel(parts, path)
  const count = ({ shape }: { shape: number[] }) => shape.reduce((product, length) => product * length, 1)
  const values = tensors.reduce((sum, tensor) => sum + count(tensor), 0)
  if (json) {
    const named = tensors.map(({ name, shape }) => ({ name, shape }))
    output.out(JSON.stringify({ file: path, values, tensors: named, left }))
    return 0
  }
  const rows = tensors.map((tensor) => [tensor.name, tensor.shape.join(' x '), grouped(count(tensor))])
  for (const line of table(['tensor', 'shape', 'values'], rows)) output.out(line)
  output.out('')
  output.out(`${path}: ${grouped(tensors.length)} tensors, ${grouped(values)} values`)
  for (const line of left) output.out(line)
  return 0
}

/** What to do about a training step that needs more memory than there can be. */
function excess(bytes: number): string {
  return bytes > MAX_BYTES ? `; it has ${megabytes(MAX_BYTES)} at most, so take fewer, or parts (train.accumulate)` : ''
}

function patchOf(text: string | boolean | undefined): Patch | undefined {
  if (text === undefined) return undefined
  const [, height, width] = /^(\d+)(?:x(\d+))?$/.exec(String(text)) ?? []
  if (!height) throw new MixlabError('option', '--patch', `'${text}', expected a whole number, or two as in 16x8`)
  return width ? [Number(height), Number(width)] : Number(height)
}

/** The rows of equal layers: the first of them, and what inside it has parameters or multiplies. */
function rowsOf({ first, last, count, layers }: Fold): string[][] {
  const label = count > 1 ? `${first} .. ${last} (x${count})` : first || '(outside of layers)'
  const shown = layers.filter(({ depth, parameters, macs }) => depth === 0 || parameters > 0 || macs > 0)
  return shown.map((layer) => [layer.depth === 0 ? label : inside(layer, layers), ...cells(layer)])
}

/** The name below the layer around it, indented by depth. */
function inside({ name, depth }: Layer, layers: Layer[]): string {
  const around = layers.findLast((outer) => outer.depth === depth - 1 && name.startsWith(`${outer.name}.`))
  return '  '.repeat(depth) + name.slice(around ? around.name.length + 1 : 0)
}

function cells({ outputShape, parameters, macs }: Layer): string[] {
  return [outputShape.join(' x '), grouped(parameters), grouped(macs)]
}
