/**
 * How a parameter is stored in files, relative to memory. Files have the layout of the PyTorch reference: in memory a
 * dense weight is `[in, out]`, in a file `[out, in]`. Every parameter knows its own layout, so any model, also one
 * written in a cell, reads and writes the files of its PyTorch twin without a table of names.
 *
 * The file holds reshape(transpose(reshape(memory, view), order), shape).
 */
export interface Layout {
  /** The axes of the memory, where they are more than its shape tells. */
  view?: readonly number[]
  /** The order of those axes in the file; unchanged by default. */
  order?: readonly number[]
  /** The shape in the file, where it differs from the reordered axes. */
  shape?: readonly number[]
}

export const PLAIN: Layout = {}

/** Memory `[in, out]`, file `[out, in]`. */
export const LINEAR = { order: [1, 0] } as const

/** Memory `[height * width * in, out]` or `[height, width, in, out]`, file `[out, in, height, width]`. */
export function convLayout(height: number, width: number, inputs: number, outputs: number): Layout {
  return { view: [height, width, inputs, outputs], order: [3, 2, 0, 1] }
}

/** The shape in a file of a parameter of `shape` in memory. */
export function fileShape(shape: readonly number[], { view = shape, order, shape: given }: Layout): number[] {
  return [...(given ?? order?.map((axis) => view[axis] as number) ?? view)]
}

/** Values in file order, from values in memory order; `shape` is the shape in memory. */
export function toFile(values: Float32Array, shape: readonly number[], { view = shape, order }: Layout): Float32Array {
  return order ? transpose(values, view, order) : values
}

/** Values in memory order, from values in file order; `shape` is the shape in memory. */
export function fromFile(
  values: Float32Array,
  shape: readonly number[],
  { view = shape, order }: Layout,
): Float32Array {
  if (!order) return values
  const back = view.map((_, axis) => order.indexOf(axis))
  const lengths = order.map((axis) => view[axis] as number)
  return transpose(values, lengths, back)
}

function transpose(values: Float32Array, shape: readonly number[], order: readonly number[]): Float32Array {
  const strides = rowMajor(shape)
  const inOrder = (lengths: readonly number[]) => order.map((axis) => lengths[axis] as number)
  return strided(values, inOrder(shape), inOrder(strides))
}

/** How far apart neighbours along each axis lie where the values of a shape lie row by row. */
export const rowMajor = (shape: readonly number[]): number[] =>
  shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1))

/** A tensor of a shape row by row, whose neighbours along each axis lie `strides` apart from `start` on; they may overlap. */
export function strided<Values extends Float32Array | Int32Array>(
  values: Values,
  shape: readonly number[],
  strides: readonly number[],
  start = 0,
): Values {
  const size = shape.reduce((product, length) => product * length, 1)
  const result = (values instanceof Int32Array ? new Int32Array(size) : new Float32Array(size)) as Values
  const index = shape.map(() => 0)
  let from = start
  for (let to = 0; to < size; to++) {
    result[to] = values[from] as number
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += strides[axis] as number
      index[axis] = (index[axis] as number) + 1
      if ((index[axis] as number) < (shape[axis] as number)) break
      from -= (strides[axis] as number) * (shape[axis] as number)
      index[axis] = 0
    }
  }
  return result
}
