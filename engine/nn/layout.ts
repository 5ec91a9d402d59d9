/**
 * How a parameter is stored in memory and in files. In memory a dense weight is `[in, out]`; files have the layout of
 * the PyTorch reference, `[out, in]`. Every parameter knows its own layout, so any model, also one written in a cell,
 * reads and writes the files of its PyTorch twin without a table of names.
 */
export type Layout =
  /** Same shape in memory and file. */
  | { kind: 'plain' }
  /** Memory `[in, out]`, file `[out, in]`. */
  | { kind: 'linear' }
  /** Memory `[height * width * channels, out]`, file `[out, channels, height, width]`. */
  | { kind: 'patch'; height: number; width: number; channels: number }

export const PLAIN: Layout = { kind: 'plain' }
export const LINEAR: Layout = { kind: 'linear' }

/** The shape in a file of a parameter of `shape` in memory. */
export function fileShape(shape: number[], layout: Layout): number[] {
  if (layout.kind === 'plain') return shape
  const [rows, out] = shape as [number, number]
  return layout.kind === 'linear' ? [out, rows] : [out, layout.channels, layout.height, layout.width]
}

/** Values in file order, from values in memory order. */
export function toFile(values: Float32Array, shape: number[], layout: Layout): Float32Array {
  return reorder(values, shape, layout, (file, memory, result) => {
    result[file] = values[memory] as number
  })
}

/** Values in memory order, from values in file order. `shape` is the shape in memory. */
export function fromFile(values: Float32Array, shape: number[], layout: Layout): Float32Array {
  return reorder(values, shape, layout, (file, memory, result) => {
    result[memory] = values[file] as number
  })
}

type Move = (file: number, memory: number, result: Float32Array) => void

/** Calls `move` for every pair of places; the memory place of row `r` and output `o` is `r * out + o`. */
function reorder(values: Float32Array, shape: number[], layout: Layout, move: Move): Float32Array {
  if (layout.kind === 'plain') return values
  const result = new Float32Array(values.length)
  const [rows, out] = shape as [number, number]
  const fileRow =
    layout.kind === 'linear' ? (row: number) => row : patchRow(layout.height, layout.width, layout.channels)
  for (let row = 0; row < rows; row++) {
    const place = fileRow(row)
    for (let o = 0; o < out; o++) move(o * rows + place, row * out + o, result)
  }
  return result
}

/** From (y, x, channel) order in memory to (channel, y, x) order in the file. */
function patchRow(height: number, width: number, channels: number): (row: number) => number {
  return (row) => (row % channels) * height * width + Math.floor(row / channels)
}
