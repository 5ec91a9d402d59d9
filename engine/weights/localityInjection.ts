import { MixlabError } from '../errors.ts'
import type { TokenGrid } from '../nn/scope.ts'
import type { NamedTensor } from './safetensors.ts'

/** A number for each share set that its values are multiplied by, and one that is then added. */
export interface Scaling {
  scale: ArrayLike<number>
  shift: ArrayLike<number>
}

/** Matrices over the pixels of a map, one a share set: `[sets, pixels, pixels]`, outputs by inputs. */
export interface PixelMatrices {
  weight: ArrayLike<number>
  /** `[sets, pixels]`; none by default. */
  bias?: ArrayLike<number> | undefined
  /** What a BatchNorm behind the matrices does. */
  scaling?: Scaling | undefined
}

/** Convolutions over a map, one kernel a share set: `[sets, height, width]`, padded with zeros by half of the kernel. */
export interface PixelConvolution {
  kernel: ArrayLike<number>
  sides: readonly [height: number, width: number]
  /** What a BatchNorm behind the convolution does. */
  scaling?: Scaling | undefined
}

/** What a BatchNorm in evaluation mode does: y = scale x + shift. All are values by channel. */
export function batchNormScaling(
  norm: Record<'weight' | 'bias' | 'runningMean' | 'runningVariance', ArrayLike<number>>,
  eps = 1e-5,
): Scaling {
  const { weight, bias, runningMean, runningVariance } = norm
  const scale = Float64Array.from(weight, (w, i) => w / Math.sqrt((runningVariance[i] as number) + eps))
  const shift = Float64Array.from(bias, (b, i) => b - (runningMean[i] as number) * (scale[i] as number))
  return { scale, shift }
}

/**
 * Locality injection: convolutions and BatchNorms merged into the matrices that they are added to, so that
 * `scaling(W x + b) + scaling(conv x) + ...` is `weight x + bias` (Ding et al. 2021, section 3.3). A convolution of a map of
 * `rows` by `columns` pixels is a matrix whose columns are its answers to single pixels. Sums are in float64. Throws
 * MixlabError `option` for a kernel with an even side.
 */
export function injectLocality(
  [rows, columns]: readonly [rows: number, columns: number],
  sets: number,
  { weight, bias, scaling }: PixelMatrices,
  convolutions: readonly PixelConvolution[],
): { weight: Float32Array; bias: Float32Array } {
  const pixels = rows * columns
  const at = (values: ArrayLike<number> | undefined, i: number, otherwise = 0) => values?.[i] ?? otherwise
  const merged = Float64Array.from(weight, (w, i) => w * at(scaling?.scale, Math.floor(i / pixels ** 2), 1))
  const level = Float64Array.from({ length: sets * pixels }, (_, i) => {
    const set = Math.floor(i / pixels)
    const shifts = convolutions.map((each) => at(each.scaling?.shift, set))
    return shifts.reduce((sum, b) => sum + b, at(bias, i) * at(scaling?.scale, set, 1) + at(scaling?.shift, set))
  })
  for (const convolution of convolutions) addConvolution(merged, convolution, [rows, columns], sets)
  return { weight: Float32Array.from(merged), bias: Float32Array.from(level) }
}

/** Throws MixlabError `option` for a kernel that has no pixel in its middle; `where` names it. */
export function checkKernel(sides: readonly [height: number, width: number], where = 'kernel'): void {
  if (sides.every((side) => Number.isInteger(side) && side > 0 && side % 2 === 1)) return
  throw new MixlabError('option', where, `${sides.join(' x ')}, expected odd sides, which have a middle`)
}

/** Adds what a convolution makes of each single pixel to the matrices. */
function addConvolution(
  matrices: Float64Array,
  { kernel, sides, scaling }: PixelConvolution,
  [rows, columns]: readonly [number, number],
  sets: number,
): void {
  checkKernel(sides)
  const [height, width] = sides
  const [above, before] = [(height - 1) / 2, (width - 1) / 2]
  const pixels = rows * columns
  for (let place = 0; place < sets * pixels * height * width; place++) {
    const [tap, to] = [place % (height * width), Math.floor(place / (height * width))] // to counts pixels of all sets
    const [set, pixel] = [Math.floor(to / pixels), to % pixels]
    const row = Math.floor(pixel / columns) + Math.floor(tap / width) - above
    const column = (pixel % columns) + (tap % width) - before
    if (row < 0 || row >= rows || column < 0 || column >= columns) continue
    const at = to * pixels + row * columns + column
    const value = (scaling?.scale[set] ?? 1) * (kernel[set * height * width + tap] as number)
    matrices[at] = (matrices[at] as number) + value
  }
}

/** Tensors by name. Throws MixlabError `weights` where one is missing; `what` names the model. */
export function tensorsOf(tensors: readonly NamedTensor[], what: string): (name: string) => NamedTensor {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  return (name) => {
    const found = byName.get(name)
    if (found) return found
    const why = /running_(mean|var)$/.test(name) ? '; a BatchNorm without running statistics cannot be folded' : ''
    throw new MixlabError('weights', what, `tensor '${name}' is missing${why}`)
  }
}

type Get = ReturnType<typeof tensorsOf>

function scalingOf(norm: string, get: Get): Scaling {
  return batchNormScaling({
    weight: get(`${norm}.weight`).values,
    bias: get(`${norm}.bias`).values,
    runningMean: get(`${norm}.running_mean`).values,
    runningVariance: get(`${norm}.running_var`).values,
  })
}

/** The convolutions `<path><kind><kernel>.conv`, each with the BatchNorm `bn` beside it. */
export function convolutionsAt(path: string, kind: string, tensors: readonly NamedTensor[], get: Get) {
  const start = path + kind
  const kernels = tensors.filter(
    ({ name }) => name.startsWith(start) && /^\d+\.conv\.weight$/.test(name.slice(start.length)),
  )
  return kernels.map(({ name, shape, values }): PixelConvolution => {
    const [, , height = 0, width = 0] = shape
    return { kernel: values, sides: [height, width], scaling: scalingOf(name.replace(/conv\.weight$/, 'bn'), get) }
  })
}

/**
 * The weights of RepMLP blocks for inference, as a block with `folded: true` reads them: the BatchNorm of the channel
 * perceptron and the convolutions of the local perceptron merged into `fc3`, which gets a bias. Takes and gives tensors in
 * the layout of files; all others stay. `gridOf` gives the partition of a matrix by its name. Throws MixlabError `weights`
 * where no block is left to fold, or one has no running statistics.
 */
export function foldRepmlp(tensors: NamedTensor[], gridOf: (matrix: string) => TokenGrid): NamedTensor[] {
  const paths = tensors.flatMap(({ name }) => /^(.*\.|)fc3_bn\.weight$/.exec(name)?.[1] ?? [])
  if (paths.length === 0) throw new MixlabError('weights', 'RepMLP', 'has no block with a BatchNorm to fold')
  const get = tensorsOf(tensors, 'RepMLP')
  const isMerged = ({ name }: NamedTensor) =>
    paths.some((path) => name.startsWith(path) && /^(fc3_bn|repconv\d+)\./.test(name.slice(path.length)))
  const folded = new Map(paths.map((path) => [`${path}fc3.weight`, foldBlock(path, tensors, get, gridOf)]))
  return tensors.filter((tensor) => !isMerged(tensor)).flatMap((tensor) => folded.get(tensor.name) ?? [tensor])
}

function foldBlock(
  path: string,
  tensors: readonly NamedTensor[],
  get: Get,
  gridOf: (matrix: string) => TokenGrid,
): NamedTensor[] {
  const matrix = get(`${path}fc3.weight`)
  const [rows = 0] = matrix.shape
  const grid = gridOf(matrix.name)
  const sets = rows / (grid[0] * grid[1])
  const { weight, bias } = injectLocality(
    grid,
    sets,
    { weight: matrix.values, scaling: scalingOf(`${path}fc3_bn`, get) },
    convolutionsAt(path, 'repconv', tensors, get),
  )
  return [
    { ...matrix, values: weight },
    { name: `${path}fc3.bias`, shape: [rows], values: bias },
  ]
}

/**
 * The tensors of a model whose convolutions over tokens are merged into the matrices W, b that have them (see
 * engine/nn/layers/tokenDense.ts); as they are where there is none. With a convolution as matrix C and the scale s and
 * shift t of its BatchNorm, parallel ones give W + s C and b + t, those before W give W (I + s C) and b + W t. Throws
 * MixlabError `weights` for a BatchNorm without running statistics.
 */
export function foldLocality(tensors: NamedTensor[], gridOf: (matrix: string) => TokenGrid): NamedTensor[] {
  const names = new Set(tensors.map(({ name }) => name))
  const layerOf = ({ name }: NamedTensor) => {
    const layer = /^(.*\.)(?:rep|pre)conv\d+\.(?:conv|bn)\.\w+$/.exec(name)?.[1]
    return layer !== undefined && names.has(`${layer}weight`) ? layer : null // RepMLP has its matrix in a layer of its own
  }
  const layers = new Set(tensors.flatMap((tensor) => layerOf(tensor) ?? []))
  const merged = new Map(
    [...layers].flatMap((layer) => mergedLayer(layer, tensors, gridOf).map((tensor) => [tensor.name, tensor])),
  )
  return tensors.filter((tensor) => !layerOf(tensor)).map((tensor) => merged.get(tensor.name) ?? tensor)
}

/** W and b of the layer at `path`, `[outputs, pixels]` and `[outputs]`, with what its convolutions do. */
function mergedLayer(
  path: string,
  tensors: readonly NamedTensor[],
  gridOf: (matrix: string) => TokenGrid,
): NamedTensor[] {
  const get = tensorsOf(tensors, 'locality')
  const [matrix, level] = [get(`${path}weight`), get(`${path}bias`)]
  const grid = gridOf(matrix.name)
  const parallel = convolutionsAt(path, 'repconv', tensors, get)
  const before = convolutionsAt(path, 'preconv', tensors, get)
  const { weight, bias } =
    before.length > 0
      ? behind(injectLocality(grid, 1, { weight: identity(grid[0] * grid[1]) }, before), matrix.values, level.values)
      : injectLocality(grid, 1, { weight: matrix.values, bias: level.values }, parallel)
  return [
    { ...matrix, values: weight },
    { ...level, values: bias },
  ]
}

const identity = (size: number) => Float64Array.from({ length: size * size }, (_, i) => Number(i % (size + 1) === 0))

/** W (A x + t) + b as one layer: W A and W t + b. Sums are in float64. */
function behind(
  inner: { weight: ArrayLike<number>; bias: ArrayLike<number> },
  outer: ArrayLike<number>,
  level: ArrayLike<number>,
): { weight: Float32Array; bias: Float32Array } {
  const [outputs, pixels] = [level.length, inner.bias.length]
  const sum = (row: number, value: (pixel: number) => number) => {
    let all = 0
    for (let pixel = 0; pixel < pixels; pixel++) all += (outer[row * pixels + pixel] as number) * value(pixel)
    return all
  }
  return {
    weight: Float32Array.from({ length: outputs * pixels }, (_, i) =>
      sum(Math.floor(i / pixels), (pixel) => inner.weight[pixel * pixels + (i % pixels)] as number),
    ),
    bias: Float32Array.from(
      { length: outputs },
      (_, row) => (level[row] as number) + sum(row, (pixel) => inner.bias[pixel] as number),
    ),
  }
}
