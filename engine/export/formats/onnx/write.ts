import { type ExportGraph, isDynamic, type Length, type Value } from '../../graph/types.ts'
import type { Exported } from '../types.ts'
import { ATTRIBUTE, EXAMPLES, IR, OPSET, TYPES } from './data.ts'
import { type Emit, operators } from './operators.ts'
import { encode } from './protobuf.ts'
import { type AttributeProto, ModelProto, type NodeProto, type TensorProto, type ValueInfoProto } from './schema.ts'

/** A model as an ONNX file. */
export async function writeOnnx(model: Exported): Promise<Uint8Array> {
  const graph = await model.graph()
  const { nodes, tensors } = nodesOf(graph)
  const weights = model.tensors.map(({ name, shape, values }) =>
    tensorOf(name, shape, values instanceof Int32Array ? 'int32' : 'float32', values),
  )
  return encode(ModelProto, {
    irVersion: BigInt(IR),
    producerName: 'mixlab',
    opsetImport: [{ domain: '', version: BigInt(OPSET) }],
    metadataProps: Object.entries(model.metadata).map(([key, value]) => ({ key, value })),
    graph: {
      name: 'model',
      node: nodes,
      initializer: [...weights, ...tensors],
      input: graph.inputs.map(infoOf),
      output: [infoOf({ ...graph.output, name: 'logits' })],
    },
  })
}

function nodesOf(graph: ExportGraph): { nodes: NodeProto[]; tensors: TensorProto[] } {
  const nodes: NodeProto[] = []
  const tensors = graph.constants.map(({ name, shape, dtype, values }) => tensorOf(name, shape, dtype, values))
  const named = (value: Value) => (value.name === graph.output.name ? 'logits' : value.name)
  let fresh = 0

  for (const node of graph.nodes) {
    const emit: Emit = (opType, input, attributes = {}, output = `t${fresh++}`) => {
      const attribute = Object.entries(attributes).map(([name, value]) => attributeOf(name, value))
      nodes.push({ opType, input, output: [output], name: `${opType}_${nodes.length}`, attribute })
      return output
    }
    const ints = (values: number[]) => {
      const name = `ints/${values.join()}`
      if (!tensors.some((tensor) => tensor.name === name)) {
        tensors.push(tensorOf(name, [values.length], 'int64', BigInt64Array.from(values, BigInt)))
      }
      return name
    }
    operators[node.operation]({
      node: { ...node, inputs: node.inputs.map((value) => ({ ...value, name: named(value) })) },
      emit,
      ints,
      output: named(node.output),
    })
  }
  return { nodes, tensors }
}

function tensorOf(name: string, shape: number[], dtype: keyof typeof TYPES, values: ArrayBufferView): TensorProto {
  const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice()
  return { name, dims: shape.map(BigInt), dataType: TYPES[dtype], rawData }
}

function infoOf({ name, shape, dtype }: Value): ValueInfoProto {
  const dim = shape.map((length) => (isDynamic(length) ? { dimParam: paramOf(length) } : { dimValue: BigInt(length) }))
  return { name, type: { tensorType: { elemType: TYPES[dtype], shape: { dim } } } }
}

const paramOf = ({ examples }: Extract<Length, object>) => (examples > 1 ? `${examples}*${EXAMPLES}` : EXAMPLES)

function attributeOf(name: string, value: number | string | number[] | { float: number }): AttributeProto {
  const given =
    typeof value === 'number'
      ? { type: ATTRIBUTE.int, i: BigInt(value) }
      : typeof value === 'string'
        ? { type: ATTRIBUTE.string, s: new TextEncoder().encode(value) }
        : Array.isArray(value)
          ? { type: ATTRIBUTE.ints, ints: value.map(BigInt) }
          : { type: ATTRIBUTE.float, f: value.float }
  return { name, ...given }
}
