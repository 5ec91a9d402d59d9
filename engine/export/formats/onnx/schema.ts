import { type Message, many, one } from './protobuf.ts'

// The part of ONNX (https://onnx.ai, its onnx.proto) that Mixlab writes and reads, with the numbers of its fields. What a
// file has beside it is skipped.

const TensorProto = {
  dims: many(1, 'int64'),
  dataType: one(2, 'int32'), // see TYPES
  name: one(8, 'string'),
  rawData: one(9, 'bytes'),
  dataLocation: one(14, 'int32'), // 1 where the data is in another file
}

const Dimension = { dimValue: one(1, 'int64'), dimParam: one(2, 'string') }
const TensorType = { elemType: one(1, 'int32'), shape: one(2, { dim: many(1, Dimension) }) }
const ValueInfoProto = { name: one(1, 'string'), type: one(2, { tensorType: one(1, TensorType) }) }

const AttributeProto = {
  name: one(1, 'string'),
  f: one(2, 'float'),
  i: one(3, 'int64'),
  s: one(4, 'bytes'),
  floats: many(7, 'float'),
  ints: many(8, 'int64'),
  type: one(20, 'int32'), // see ATTRIBUTE
}

const NodeProto = {
  input: many(1, 'string'),
  output: many(2, 'string'),
  name: one(3, 'string'),
  opType: one(4, 'string'),
  attribute: many(5, AttributeProto),
}

const GraphProto = {
  node: many(1, NodeProto),
  name: one(2, 'string'),
  initializer: many(5, TensorProto),
  input: many(11, ValueInfoProto),
  output: many(12, ValueInfoProto),
}

export const ModelProto = {
  irVersion: one(1, 'int64'),
  producerName: one(2, 'string'),
  graph: one(7, GraphProto),
  opsetImport: many(8, { domain: one(1, 'string'), version: one(2, 'int64') }),
  metadataProps: many(14, { key: one(1, 'string'), value: one(2, 'string') }),
}

export type TensorProto = Message<typeof TensorProto>
export type ValueInfoProto = Message<typeof ValueInfoProto>
export type AttributeProto = Message<typeof AttributeProto>
export type NodeProto = Message<typeof NodeProto>
export type GraphProto = Message<typeof GraphProto>
