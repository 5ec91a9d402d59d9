import { type NamedAttrMap, slice_util, util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { coordinates, digit, type Index, linear, number, plus, scaled, text, ZERO } from '../wgsl/digits.ts'
import { literal } from './maps.ts'

/** Reads the element at an index of an input, as WGSL. */
export type Read = (use: Use, index: Index) => string

/** The element at `index` of the output of an operation that only moves elements, as WGSL. */
export type ViewRule = (operation: Operation, index: Index, read: Read) => string

const numbers = (attributes: NamedAttrMap, name: string) => attributes[name] as number[]
const first = ({ outputs }: Operation) => outputs[0] as Use
const given = ({ inputs }: Operation, name: string) => inputs[name] as Use

/** The axis of an operation among so many, those of its result by default; one below 0 counts from the last. */
export function axisOf({ attributes, outputs }: Operation, axes = (outputs[0] as Use).shape.length): number {
  return ((attributes.axis as number) + axes) % axes
}

/** In WGSL, an index less some places; less than nothing is a large number. */
function lessBy(index: Index, before: number): string {
  return before === 0 ? `(${text(index)})` : `(${text(index)} - ${before}u)`
}

/** The same as an index below `size`. */
function minus(index: Index, before: number, size: number): Index {
  return before === 0 ? index : number(lessBy(index, before), size)
}

/** Where `x` transposed by `perm` has its element of `index` of the result. */
export function untransposed(index: Index, perm: number[], shape: number[]): Index {
  const at = coordinates(index, shape)
  const before = shape.map((_, axis) => shape[perm.indexOf(axis)] as number)
  return linear(
    before.map((_, axis) => at[perm.indexOf(axis)] as Index),
    before,
  )
}

/** Where the element of `index` of a tensor of `shape` is after `perm`. */
export function transposed(index: Index, perm: number[], shape: number[]): Index {
  const at = coordinates(index, shape)
  return linear(
    perm.map((axis) => at[axis] as Index),
    perm.map((axis) => shape[axis] as number),
  )
}

/** The index in an input of `from` that is broadcast to `to`. */
export function broadcast(index: Index, to: number[], from: number[]): Index {
  const skipped = from.findIndex((length) => length !== 1)
  const own = skipped < 0 ? [] : from.slice(skipped)
  if (own.length === 0) return ZERO
  if (own.join() === to.slice(to.findIndex((length) => length !== 1)).join()) return index
  const at = coordinates(index, to).slice(to.length - own.length)
  return linear(
    own.map((length, axis) => (length === 1 ? ZERO : (at[axis] as Index))),
    own,
  )
}

/** Windows of images as convolutions see them: stride, dilation, and padding before rows and columns. */
export interface Windows {
  stride: [number, number]
  dilation: [number, number]
  pad: [number, number]
}

const padded = (condition: string, value: string, dtype: string, by = 0) =>
  `select(${literal(by, dtype)}, ${value}, ${condition})`

/** A place of a border: of the axis behind it, where it is mirrored with its outermost entry (`symmetric`) or without. */
function mirrored(at: Index, before: number, length: number, symmetric: boolean): Index {
  const twice = symmetric ? 1 : 0
  const place = `i32(${text(at)}) - ${before}`
  const inside = `max(${place}, -(${place}) - ${twice})`
  return number(`u32(min(${inside}, ${2 * (length - 1) + twice} - (${inside})))`, length)
}

/** The indices of `GatherNd` and `ScatterNd`: number `part` of those at `place`. */
function partOfPlace(indices: Use, place: Index[], part: number, read: Read): string {
  return read(indices, linear([...place, { terms: [], offset: part }], indices.shape))
}

/** By name; `Patches` and `BackPatches` are those of convolutions and pools, see there; what has no input
 * is the same whatever the image is. */
export const views: Record<string, ViewRule> = {
  Transpose: (operation, index, read) => {
    const x = given(operation, 'x')
    return read(x, untransposed(index, numbers(operation.attributes, 'perm'), first(operation).shape))
  },
  Slice: (operation, index, read) => {
    const x = given(operation, 'x')
    const begin = [operation.attributes.begin as number | number[]].flat() // of the first axes alone, at times
    const at = coordinates(index, first(operation).shape)
    const moved = at.map((each, axis) => plus(each, { terms: [], offset: begin[axis] ?? 0 }))
    return read(x, linear(moved, x.shape))
  },
  Tile: (operation, index, read) => {
    const x = given(operation, 'x')
    const at = coordinates(index, first(operation).shape)
    const inner = at.map((each, axis) => digit(each, 1, x.shape[axis] as number))
    return read(x, linear(inner, x.shape))
  },
  BroadcastTo: (operation, index, read) => {
    const x = given(operation, 'x')
    return read(x, broadcast(index, first(operation).shape, x.shape))
  },
  Reverse: (operation, index, read) => {
    const x = given(operation, 'x')
    const axes = util.parseAxisParam(operation.attributes.dims as number[], x.shape)
    const at = coordinates(index, x.shape).map((each, axis) =>
      axes.includes(axis)
        ? number(`${(x.shape[axis] as number) - 1}u - (${text(each)})`, x.shape[axis] as number)
        : each,
    )
    return read(x, linear(at, x.shape))
  },
  Concat: (operation, index, read) => {
    const { shape, dtype } = first(operation)
    const axis = axisOf(operation)
    const at = coordinates(index, shape)
    const along = text(at[axis] as Index)
    let end = 0
    let code = ''
    for (const x of Object.values(operation.inputs)) {
      if (sizeOf(x) === 0) continue
      const length = x.shape[axis] as number
      const own = linear(at.with(axis, minus(at[axis] as Index, end, length)), x.shape)
      const value = read(x, own)
      code = code ? `select(${code}, ${value}, ${along} >= ${end}u)` : value
      end += length
    }
    return code || literal(0, dtype)
  },
  PadV2: (operation, index, read) => {
    const x = given(operation, 'x')
    const { shape, dtype } = first(operation)
    const paddings = operation.attributes.paddings as [number, number][]
    const conditions: string[] = []
    const at = coordinates(index, shape).map((each, axis) => {
      const [before, after] = paddings[axis] as [number, number]
      const length = x.shape[axis] as number
      if (before + after > 0) conditions.push(`${lessBy(each, before)} < ${length}u`)
      return minus(each, before, length)
    })
    const value = read(x, linear(at, x.shape))
    const by = operation.attributes.constantValue as number
    return conditions.length > 0 ? padded(`(${conditions.join(' && ')})`, value, dtype, by) : value
  },
  MirrorPad: (operation, index, read) => {
    const x = given(operation, 'x')
    const { paddings, mode } = operation.attributes as unknown as { paddings: [number, number][]; mode: string }
    const at = coordinates(index, first(operation).shape).map((each, axis) => {
      const [before, after] = paddings[axis] as [number, number]
      return before + after > 0 ? mirrored(each, before, x.shape[axis] as number, mode === 'symmetric') : each
    })
    return read(x, linear(at, x.shape))
  },
  StridedSlice: (operation, index, read) => {
    const x = given(operation, 'x')
    const { begin, strides, taken } = stretchOf(x.shape, operation.attributes)
    const at = coordinates(index, taken).map((each, axis) => {
      const [from, step, length] = [begin[axis], strides[axis], x.shape[axis]] as [number, number, number]
      if (step < 0) return number(`${from}u - ${-step}u * (${text(each)})`, length)
      return plus(scaled(each, step), { terms: [], offset: from })
    })
    return read(x, linear(at, x.shape))
  },
  Diag: (operation, index, read) => {
    const x = given(operation, 'x')
    const [row, column] = coordinates(index, [sizeOf(x), sizeOf(x)]) as [Index, Index]
    return `select(${literal(0, x.dtype)}, ${read(x, row)}, ${text(row)} == ${text(column)})`
  },
  GatherNd: (operation, index, read) => {
    const [x, indices] = [given(operation, 'params'), given(operation, 'indices')]
    const at = coordinates(index, first(operation).shape)
    const own = at.slice(0, indices.shape.length - 1)
    const place = Array.from({ length: indices.shape.at(-1) as number }, (_, part) => {
      return number(`u32(${partOfPlace(indices, own, part, read)})`, x.shape[part] as number)
    })
    return read(x, linear([...place, ...at.slice(own.length)], x.shape))
  },
  /** The indices of `ScatterNd` as numbers of rows. */
  RowNumbers: (operation, index, read) => {
    const indices = given(operation, 'indices')
    const lengths = numbers(operation.attributes, 'lengths')
    const own = coordinates(index, indices.shape.slice(0, -1))
    return lengths.reduce((sum, length, part) => {
      const code = partOfPlace(indices, own, part, read)
      return part === 0 ? code : `(${sum} * ${length} + ${code})`
    }, '')
  },
  GatherV2: (operation, index, read) => {
    const x = given(operation, 'x')
    const indices = given(operation, 'indices')
    const { batchDims = 0 } = operation.attributes as { batchDims?: number }
    const axis = axisOf(operation, x.shape.length)
    const at = coordinates(index, first(operation).shape)
    const count = indices.shape.length - batchDims
    const inIndices = [...at.slice(0, batchDims), ...at.slice(axis, axis + count)]
    const chosen = read(indices, linear(inIndices, indices.shape))
    const place = number(`u32(${chosen})`, x.shape[axis] as number)
    return read(x, linear([...at.slice(0, axis), place, ...at.slice(axis + count)], x.shape))
  },
  OneHot: (operation, index, read) => {
    const indices = given(operation, 'indices')
    const {
      depth,
      onValue = 1,
      offValue = 0,
      dtype = 'int32',
    } = operation.attributes as Record<string, number> & {
      dtype?: string
    }
    const found = read(indices, digit(index, depth as number, sizeOf(indices)))
    const [on, off] = [literal(onValue, dtype), literal(offValue, dtype)]
    return `select(${off}, ${on}, ${found} == i32(${text(digit(index, 1, depth as number))}))`
  },
  CrossEntropyGrad: (operation, index, read) => {
    const [dy, logits, labels, normaliser] = ['dy', 'logits', 'labels', 'normaliser'].map((name) =>
      given(operation, name),
    ) as [Use, Use, Use, Use]
    const classes = logits.shape.at(-1) as number
    const row = digit(index, classes, sizeOf(labels))
    const one = `select(0.0f, 1.0f, ${read(labels, row)} == i32(${text(digit(index, 1, classes))}))`
    return `(${read(dy, row)} * (exp(${read(logits, index)} - ${read(normaliser, row)}) - ${one}))`
  },
  Patches: (operation, index, read) => {
    const x = given(operation, 'x')
    const { stride, dilation, pad, value = 0 } = operation.attributes as unknown as Windows & { value?: number }
    const [batch, y, column, ky, kx, channel] = coordinates(index, first(operation).shape) as Index[]
    const row = windowed(y as Index, ky as Index, stride[0], dilation[0], pad[0], x.shape[1] as number)
    const place = windowed(column as Index, kx as Index, stride[1], dilation[1], pad[1], x.shape[2] as number)
    const inner = [batch, row.index, place.index, channel] as Index[]
    const conditions = [...row.conditions, ...place.conditions]
    const found = read(x, linear(inner, x.shape))
    return conditions.length > 0 ? padded(`(${conditions.join(' && ')})`, found, 'float32', value) : found
  },
  Number: (operation) => literal(operation.attributes.value as number, first(operation).dtype),
  Places: (_, index) => `f32(${text(index)})`,
  /** One by how many values windows have inside of the image. */
  Shares: (operation, index) => {
    const { stride, pad, size, image } = operation.attributes as unknown as Windows & Record<'size' | 'image', number[]>
    const at = coordinates(index, first(operation).shape)
    const inside = ([0, 1] as const).map((axis) => {
      const [length, seen] = [image[axis], size[axis]] as [number, number]
      const begin = `i32(${text(scaled(at[axis] as Index, stride[axis]))}) - ${pad[axis]}`
      return `(min(${length}, ${begin} + ${seen}) - max(0, ${begin}))`
    })
    return `(1.0f / f32(${inside.join(' * ')}))`
  },
  BackPatches: (operation, index, read) => {
    const dy = given(operation, 'dy')
    const { stride, dilation, pad } = operation.attributes as unknown as Windows
    const [batch, y, column, ky, kx, channel] = coordinates(index, first(operation).shape) as Index[]
    const row = unwindowed(y as Index, ky as Index, stride[0], dilation[0], pad[0], dy.shape[1] as number)
    const place = unwindowed(column as Index, kx as Index, stride[1], dilation[1], pad[1], dy.shape[2] as number)
    const inner = [batch, row.index, place.index, channel] as Index[]
    const found = read(dy, linear(inner, dy.shape))
    return padded(`(${[...row.conditions, ...place.conditions].join(' && ')})`, found, 'float32')
  },
}

/** From where a strided slice of a tensor goes in which steps, and how many entries of each axis it takes. */
function stretchOf(shape: number[], attributes: NamedAttrMap) {
  const mask = (name: string) => attributes[name] as number
  const list = (name: string) => numbers(attributes, name)
  const stretch = [list('begin'), list('end'), list('strides')] as const
  const masks = [mask('beginMask'), mask('endMask'), mask('ellipsisMask'), mask('newAxisMask')] as const
  const { begin, end, strides } = slice_util.sliceInfo(shape, ...stretch, ...masks, mask('shrinkAxisMask'))
  return { begin, strides, taken: slice_util.computeOutShape(begin, end, strides) }
}

/** The row of an image that place `k` of window `y` sees, and when there is one. */
function windowed(y: Index, k: Index, stride: number, dilation: number, pad: number, rows: number) {
  const place = plus(scaled(y, stride), scaled(k, dilation))
  const index = minus(place, pad, rows)
  return {
    index,
    conditions: pad > 0 || overruns(y, k, stride, dilation, rows) ? [`${lessBy(place, pad)} < ${rows}u`] : [],
  }
}

function overruns(y: Index, k: Index, stride: number, dilation: number, rows: number): boolean {
  const most = ({ terms, offset }: Index) => terms.reduce((sum, { mod, stride }) => sum + (mod - 1) * stride, offset)
  return most(y) * stride + most(k) * dilation >= rows
}

/** The window whose place `k` sees row `y` of an image, and when there is one. */
function unwindowed(y: Index, k: Index, stride: number, dilation: number, pad: number, rows: number) {
  const place = `(${text(y)} + ${pad}u - (${text(scaled(k, dilation))}))`
  if (stride === 1) return { index: number(place, rows), conditions: [`${place} < ${rows}u`] }
  const index = number(`${place} / ${stride}u`, rows)
  return { index, conditions: [`${place} < ${rows * stride}u`, `${place} % ${stride}u == 0u`] }
}
