import * as tf from '@tensorflow/tfjs'
import { apart, between, type Case, lists, of } from './cases.ts'

type Four = [number, number, number, number]
type Padding = 'valid' | 'same' | number
const on = (shape: number[], run: (x: tf.Tensor4D) => tf.Tensor | tf.Tensor[]): Case =>
  of(apart(shape), (x) => run(x as tf.Tensor4D))
const pair = (a: number[], b: number[], run: (x: tf.Tensor4D, filter: tf.Tensor4D) => tf.Tensor): Case =>
  of(apart(a, b), (x, filter) => run(x as tf.Tensor4D, filter as tf.Tensor4D))

/** Pictures `[height, width]`, windows, strides, dilations and paddings: square and not, with borders and without. */
const WINDOWS: {
  picture: [number, number]
  kernel: [number, number]
  strides?: number
  dilations?: number | [number, number]
  pad: Padding
}[] = [
  { picture: [4, 4], kernel: [3, 3], pad: 'same' },
  { picture: [4, 5], kernel: [3, 3], pad: 'valid' },
  { picture: [4, 3], kernel: [2, 3], pad: 'same' },
  { picture: [5, 4], kernel: [3, 3], strides: 2, pad: 'same' },
  { picture: [4, 4], kernel: [2, 2], strides: 2, pad: 'valid' },
  { picture: [4, 5], kernel: [3, 2], strides: 2, pad: 'valid' },
  { picture: [3, 4], kernel: [3, 3], pad: 1 },
  { picture: [5, 5], kernel: [3, 3], strides: 2, pad: 1 },
  { picture: [3, 3], kernel: [1, 1], pad: 'same' },
]
const DILATED: typeof WINDOWS = [
  { picture: [5, 6], kernel: [3, 3], dilations: 2, pad: 'same' },
  { picture: [6, 5], kernel: [2, 3], dilations: 2, pad: 'valid' },
  { picture: [6, 6], kernel: [3, 2], dilations: [2, 3], pad: 'same' },
  { picture: [6, 5], kernel: [2, 2], dilations: [3, 1], pad: 2 },
]

const convolutions = (run: (x: tf.Tensor4D, filter: tf.Tensor4D, at: (typeof WINDOWS)[0]) => tf.Tensor, out = 2) =>
  [...WINDOWS, ...DILATED].map((at) =>
    pair([1, ...at.picture, 2], [...at.kernel, 2, out], (x, filter) => run(x, filter, at)),
  )
const pools = (run: (x: tf.Tensor4D, at: (typeof WINDOWS)[0]) => tf.Tensor) =>
  WINDOWS.map((at) => on([1, ...at.picture, 2], (x) => run(x, at)))
const RESIZED = ['3,3 5,5', '4,4 2,2', '2,3 4,5', '4,3 3,5', '3,4 1,6', '3,3 3,4'].map((sizes) =>
  lists<[[number, number], [number, number]]>(sizes),
)
const resizes = (run: (x: tf.Tensor4D, size: [number, number], corners: boolean, centers: boolean) => tf.Tensor) =>
  RESIZED.flatMap(([from, to]) =>
    [
      [false, false],
      [true, false],
      [false, true],
    ].map(([corners, centers]) => on([1, ...from, 2], (x) => run(x, to, corners as boolean, centers as boolean))),
  )

/** Convolutions, poolings and operations on pictures. */
export const pictures: Record<string, Case[]> = {
  conv1d: [
    of(apart([2, 5, 2], [3, 2, 2]), (x, filter) => tf.conv1d(x as tf.Tensor3D, filter as tf.Tensor3D, 1, 'same')),
    of(apart([2, 5, 2], [2, 2, 3]), (x, filter) => tf.conv1d(x as tf.Tensor3D, filter as tf.Tensor3D, 2, 'valid')),
    of(apart([2, 6, 2], [3, 2, 1]), (x, filter) =>
      tf.conv1d(x as tf.Tensor3D, filter as tf.Tensor3D, 1, 'same', 'NWC', 2),
    ),
  ],
  conv2d: [
    ...convolutions((x, filter, { strides = 1, dilations = 1, pad }) =>
      tf.conv2d(x, filter, strides, pad, 'NHWC', dilations),
    ),
    pair([1, 5, 5, 1], [2, 2, 1, 2], (x, filter) => tf.conv2d(x, filter, 2, 1, 'NHWC', 1, 'floor')),
    pair([1, 4, 4, 1], [3, 2, 1, 2], (x, filter) => tf.conv2d(x, filter, 1, lists('0,0 1,2 2,0 0,0'))),
  ],
  conv2dTranspose: WINDOWS.map(({ picture, kernel, strides = 1, pad }) => {
    const out = (length: number, size: number) =>
      pad === 'same' ? length * strides : (length - 1) * strides + size - (pad === 'valid' ? 0 : 2 * pad)
    const shape: Four = [1, out(picture[0], kernel[0]), out(picture[1], kernel[1]), 2]
    return pair([1, ...picture, 1], [...kernel, 2, 1], (x, filter) =>
      tf.conv2dTranspose(x, filter, shape, strides, pad),
    )
  }),
  depthwiseConv2d: convolutions((x, filter, { strides = 1, dilations = 1, pad }) =>
    tf.depthwiseConv2d(x, filter, strides, pad, 'NHWC', dilations),
  ),
  separableConv2d: [
    of(apart([1, 4, 5, 2], [3, 3, 2, 2], [1, 1, 4, 2]), (x, depth, point) =>
      tf.separableConv2d(x as tf.Tensor4D, depth as tf.Tensor4D, point as tf.Tensor4D, 1, 'same'),
    ),
    of(apart([1, 4, 5, 2], [2, 2, 2, 1], [1, 1, 2, 3]), (x, depth, point) =>
      tf.separableConv2d(x as tf.Tensor4D, depth as tf.Tensor4D, point as tf.Tensor4D, 1, 'valid', 2),
    ),
  ],
  conv3d: [
    of(apart([1, 3, 4, 3, 1], [2, 2, 3, 1, 2]), (x, filter) =>
      tf.conv3d(x as tf.Tensor5D, filter as tf.Tensor5D, 1, 'same'),
    ),
    of(apart([1, 4, 3, 4, 1], [2, 2, 2, 1, 1]), (x, filter) =>
      tf.conv3d(x as tf.Tensor5D, filter as tf.Tensor5D, 2, 'valid'),
    ),
    of(apart([1, 3, 4, 5, 1], [2, 2, 2, 1, 1]), (x, filter) =>
      tf.conv3d(x as tf.Tensor5D, filter as tf.Tensor5D, 1, 'valid', 'NDHWC', 2),
    ),
  ],
  conv3dTranspose: [
    of(apart([1, 2, 2, 3, 1], [2, 2, 2, 2, 1]), (x, filter) =>
      tf.conv3dTranspose(x as tf.Tensor5D, filter as tf.Tensor5D, [1, 4, 4, 6, 2], 2, 'same'),
    ),
  ],
  fusedConv2d: [
    of(apart([1, 4, 4, 1], [3, 3, 1, 2], [2]), (x, filter, bias) =>
      tf.fused.conv2d({
        x: x as tf.Tensor4D,
        filter: filter as tf.Tensor4D,
        strides: 1,
        pad: 'same',
        bias: bias as tf.Tensor,
      }),
    ),
  ],
  fusedDepthwiseConv2d: [
    of(apart([1, 4, 4, 2], [3, 3, 2, 1], [2]), (x, filter, bias) =>
      tf.fused.depthwiseConv2d({
        x: x as tf.Tensor4D,
        filter: filter as tf.Tensor4D,
        strides: 1,
        pad: 'same',
        bias: bias as tf.Tensor,
      }),
    ),
  ],
  dilation2d: (['valid', 'same'] as const).map((pad) =>
    of([...between(-2, 2, [1, 3, 4, 1]), ...between(0.1, 0.35, [2, 2, 1])], (x, filter) =>
      tf.dilation2d(x as tf.Tensor4D, filter as tf.Tensor3D, 1, pad),
    ),
  ),
  avgPool: pools((x, { kernel, strides = 1, pad }) => tf.avgPool(x, kernel, strides, pad)),
  maxPool: pools((x, { kernel, strides = 1, pad }) => tf.maxPool(x, kernel, strides, pad)),
  pool: [
    ...pools((x, { kernel, strides = 1, pad }) => tf.pool(x, kernel, 'avg', pad, 1, strides)),
    on([1, 6, 5, 1], (x) => tf.pool(x, [2, 2], 'avg', 'valid', 2, 1)),
    on([1, 5, 5, 1], (x) => tf.pool(x, [2, 3], 'max', 'same', 2, 1)),
  ],
  avgPool3d: [
    of(apart([1, 3, 4, 3, 1]), (x) => tf.avgPool3d(x as tf.Tensor5D, [2, 3, 2], 1, 'same')),
    of(apart([1, 4, 4, 2, 1]), (x) => tf.avgPool3d(x as tf.Tensor5D, 2, 2, 'valid')),
  ],
  resizeBilinear: resizes((x, size, corners, centers) => tf.image.resizeBilinear(x, size, corners, centers)),
  resizeNearestNeighbor: resizes((x, size, corners, centers) =>
    tf.image.resizeNearestNeighbor(x, size, corners, centers),
  ),
  flipLeftRight: [on([2, 3, 4, 2], (x) => tf.image.flipLeftRight(x))],
  grayscaleToRGB: [on([1, 2, 3, 1], (x) => tf.image.grayscaleToRGB(x))],
  rgbToGrayscale: [on([1, 2, 3, 3], (x) => tf.image.rgbToGrayscale(x))],
  localResponseNormalization: [on([1, 2, 2, 5], (x) => tf.localResponseNormalization(x, 2, 1, 0.5, 0.5))],
}
