import { type Fail, MixlabError, quoted } from '../../../errors.ts'
import { TYPES } from './data.ts'
import { decode } from './protobuf.ts'
import { type AttributeProto, ModelProto, type NodeProto, type TensorProto, type ValueInfoProto } from './schema.ts'

/** A tensor of a file; int64 is read as numbers. */
export interface OnnxTensor {
  name: string
  shape: number[]
  dtype: keyof typeof TYPES
  values: Float32Array | Int32Array | Uint8Array | number[]
}

export interface OnnxNode {
  type: string
  inputs: string[]
  outputs: string[]
  attributes: Record<string, number | string | number[]>
}

/** Name and shape of what a model reads or gives; a length is a name where it is open. */
export interface OnnxInfo {
  name: string
  shape: (number | string)[]
  dtype: string
}

/** What of an ONNX file a model is made of. */
export interface OnnxModel {
  opset: number
  metadata: Record<string, string>
  nodes: OnnxNode[]
  tensors: OnnxTensor[]
  inputs: OnnxInfo[]
  outputs: OnnxInfo[]
}

/** Reads an ONNX file. Throws MixlabError `weights` naming what is wrong; `source` names the file. */
export function decodeOnnx(file: Uint8Array, source = 'ONNX'): OnnxModel {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const { graph: { node = [], initializer = [], input = [], output = [] } = {}, ...model } = parse(file, fail)
  if (node.length === 0) throw fail('has no graph; not an ONNX file')
  const opset = model.opsetImport?.find(({ domain = '' }) => domain === '' || domain === 'ai.onnx')
  if (opset === undefined) throw fail('does not say which operators it means (opset_import)')
  return {
    opset: Number(opset.version ?? 0),
    metadata: Object.fromEntries((model.metadataProps ?? []).map(({ key = '', value = '' }) => [key, value])),
    nodes: node.map(nodeOf),
    tensors: initializer.map((tensor) => tensorOf(tensor, fail)),
    inputs: input.map(infoOf),
    outputs: output.map(infoOf),
  }
}

function parse(file: Uint8Array, fail: Fail) {
  try {
    return decode(ModelProto, file)
  } catch {
    throw fail('is no ONNX file, or damaged')
  }
}

function nodeOf({ opType = '', input = [], output = [], attribute = [] }: NodeProto): OnnxNode {
  const attributes = Object.fromEntries(attribute.map((each) => [each.name ?? '', attributeOf(each)]))
  return { type: opType, inputs: input, outputs: output, attributes }
}

function attributeOf({
  type,
  f = 0,
  i = 0n,
  s = new Uint8Array(),
  floats = [],
  ints = [],
}: AttributeProto): number | string | number[] {
  if (type === 1) return f
  if (type === 2) return Number(i)
  if (type === 3) return new TextDecoder().decode(s)
  return floats.length > 0 ? floats : ints.map(Number)
}

const ARRAYS = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array, bool: Uint8Array }

function tensorOf(tensor: TensorProto, fail: Fail): OnnxTensor {
  const { name = '', dims = [], dataType = 0, rawData = new Uint8Array(), dataLocation = 0 } = tensor
  const dtype = (Object.keys(TYPES) as (keyof typeof TYPES)[]).find((type) => TYPES[type] === dataType)
  if (!dtype) throw fail(`tensor ${quoted(name)} is of type ${dataType}, expected ${Object.keys(TYPES).join(', ')}`)
  if (dataLocation) throw fail(`tensor ${quoted(name)} is in another file`)
  const shape = dims.map(Number)
  const size = shape.reduce((product, length) => product * length, 1)
  const bytes = size * ARRAYS[dtype].BYTES_PER_ELEMENT
  if (shape.some((length) => length < 0) || rawData.length !== bytes) {
    throw fail(`tensor ${quoted(name)} has ${rawData.length} bytes, shape ${quoted(`[${shape}]`)} needs ${bytes}`)
  }
  const { buffer } = new Uint8Array(rawData) // aligned
  const values = new ARRAYS[dtype](buffer)
  return { name, shape, dtype, values: values instanceof BigInt64Array ? Array.from(values, Number) : values }
}

function infoOf({ name = '', type }: ValueInfoProto): OnnxInfo {
  const { elemType = 0, shape } = type?.tensorType ?? {}
  const dtype = Object.entries(TYPES).find(([, number]) => number === elemType)?.[0] ?? String(elemType)
  return { name, shape: (shape?.dim ?? []).map(({ dimValue = 0n, dimParam }) => dimParam || Number(dimValue)), dtype }
}
