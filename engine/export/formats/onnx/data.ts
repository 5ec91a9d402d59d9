/** Types of ONNX tensors by ours. */
export const TYPES = { float32: 1, int32: 6, int64: 7, bool: 9 } as const

export type DataType = keyof typeof TYPES

/** Types of ONNX attributes. */
export const ATTRIBUTE = { float: 1, int: 2, string: 3, floats: 6, ints: 7 } as const

/** LayerNormalization is there since 17, Gelu since 20. */
export const OPSET = 20
/** The version of the format that came with it. */
export const IR = 9
/** The name of the axis that counts examples. */
export const EXAMPLES = 'batch'
