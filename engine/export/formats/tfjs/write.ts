import { joined } from '../../../data/joined.ts'
import { DESCRIPTION } from '../../../weights/safetensors.ts'
import { isDynamic, type Length, type Value } from '../../graph/types.ts'
import type { Exported, Written } from '../types.ts'
import { type NodeDef, operators } from './operators.ts'

/** What a file of weights ends in. */
export const WEIGHTS = '.weights.bin'

const TYPES = { float32: 'DT_FLOAT', int32: 'DT_INT32', bool: 'DT_BOOL' } as const

/** A tensor in the file of weights. */
interface Stored {
  name: string
  shape: number[]
  dtype: Value['dtype']
  values: Float32Array | Int32Array | Uint8Array
}

/** A model as model.json and its weights (https://github.com/tensorflow/tfjs, tfjs-core/src/io/types.ts). */
export async function writeTfjs(model: Exported, name: string): Promise<Written> {
  const graph = await model.graph()
  const stored: Stored[] = [
    ...graph.weights.map(
      (tensor): Stored => ({ ...tensor, dtype: tensor.values instanceof Int32Array ? 'int32' : 'float32' }),
    ),
    ...graph.constants,
  ]
  const node: NodeDef[] = graph.inputs.map((value) => ({
    name: value.name,
    op: 'Placeholder',
    input: [],
    attr: { dtype: { type: TYPES[value.dtype] }, shape: { shape: shapeOf(value.shape) } },
  }))
  const computed: NodeDef[] = []
  let fresh = 0
  const ints = (values: number[], scalar = false) => {
    const name = `ints/${scalar ? 'one/' : ''}${values.join('_')}`
    if (!stored.some((tensor) => tensor.name === name)) {
      stored.push({ name, shape: scalar ? [] : [values.length], dtype: 'int32', values: Int32Array.from(values) })
    }
    return name
  }
  const float = (value: number) => {
    const name = `float/${value}`
    if (!stored.some((tensor) => tensor.name === name)) {
      stored.push({ name, shape: [], dtype: 'float32', values: Float32Array.of(value) })
    }
    return name
  }
  for (const each of graph.nodes) {
    const output = each.output.name === graph.output.name ? 'logits' : each.output.name
    operators[each.operation]({
      node: each,
      emit: (op, input, attr = {}, name = `t${fresh++}`) => {
        computed.push({ name, op, input, attr })
        return name
      },
      ints,
      float,
      output,
    })
  }
  const constants = stored.map(({ name, dtype }) => ({
    name,
    op: 'Const',
    input: [],
    attr: { dtype: { type: TYPES[dtype] } },
  }))
  const info = (value: Value, name: string) => ({
    name: `${name}:0`,
    dtype: TYPES[value.dtype],
    tensorShape: shapeOf(value.shape),
  })
  const json = {
    format: 'graph-model',
    generatedBy: 'mixlab',
    convertedBy: null,
    signature: {
      inputs: Object.fromEntries(graph.inputs.map((value) => [value.name, info(value, value.name)])),
      outputs: { logits: info(graph.output, 'logits') },
    },
    userDefinedMetadata: { mixlab: JSON.parse(model.metadata[DESCRIPTION] ?? '{}') },
    modelTopology: { node: [...node, ...constants, ...computed], versions: { producer: 1 } },
    weightsManifest: [
      { paths: [name + WEIGHTS], weights: stored.map(({ name, shape, dtype }) => ({ name, shape, dtype })) },
    ],
  }
  return {
    '.json': new TextEncoder().encode(JSON.stringify(json)),
    [WEIGHTS]: joined(stored.map(({ values }) => values)),
  }
}

const shapeOf = (shape: Length[]) => ({
  dim: shape.map((length) => ({ size: isDynamic(length) ? '-1' : String(length) })),
})
