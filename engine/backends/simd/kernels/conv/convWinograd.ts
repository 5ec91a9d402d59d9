import type { SimdBackend } from '../../backend.ts'
import { callAll, cut, nanoseconds } from '../../share.ts'
import { callParts, withSum } from './convCalls.ts'
import type { Geometry } from './convGeometry.ts'

// Convolutions of 3 x 3 in fewer multiplications; see assembly/conv/winograd.ts.

/** Of a tile: as many products of channels by outChannels. */
const POINTS = 16
/** Channels are taken so many at a time. */
const LANES = 8
/** Partial sums of the gradient by a filter: of at least so many tiles, and up to so many of them. */
const [SHARE, SUMS] = [192, 8]
/** Channels times outChannels whose gradients are computed at a time: their sums of all points stay in the L2 cache. */
const TAP = 4096

/** Whether a convolution is one of these. */
export function isWinograd(geometry: Geometry): boolean {
  const { kernelHeight, kernelWidth, strideHeight, strideWidth, dilationHeight, dilationWidth } = geometry
  return (
    kernelHeight === 3 &&
    kernelWidth === 3 &&
    [strideHeight, strideWidth, dilationHeight, dilationWidth].every((size) => size === 1) &&
    geometry.channels % LANES === 0 &&
    geometry.outChannels % LANES === 0
  )
}

/** Writes the convolution to `out`; by the filter of the gradient by the input when `turned`. */
export function convolveTiles(
  backend: SimdBackend,
  geometry: Geometry,
  x: number,
  filter: number,
  out: number,
  turned: boolean,
): void {
  const { channels, outChannels } = geometry
  const room = backend.wasm.winogradScratch(channels)
  backend.withScratch(4 * packedFilter(geometry), (packed) => {
    callAll(backend, 'winogradFilter', [[filter, packed, channels, outChannels, Number(turned)]])
    const parts = cut(tilesOf(geometry, geometry.batch), partsOf(backend, geometry))
    callParts(backend, 'winograd', geometry, parts, room, ({ from, count }) => {
      return [x, packed, out, from, from + count]
    })
  })
}

/** Writes the gradient by the filter to `out`: sums over shares of the tiles, as many whatever the number of threads. */
export function gradFilterOfTiles(backend: SimdBackend, geometry: Geometry, x: number, dy: number, out: number): void {
  const { channels, outChannels } = geometry
  const size = 9 * channels * outChannels
  const tiles = tilesOf(geometry, geometry.batch)
  const shares = cut(tiles, Math.max(1, Math.min(SUMS, Math.floor(tiles / SHARE))))
  const rows = Math.max(LANES, Math.floor(TAP / outChannels / LANES) * LANES)
  const blocks = Array.from({ length: Math.ceil(channels / rows) }, (_, i) => i * rows)
  const parts = shares.flatMap((share, i) => blocks.map((first) => ({ ...share, first, sums: 4 * i * size })))
  const room = backend.wasm.winogradGradScratch(rows, outChannels)
  withSum(backend, shares.length, size, out, (address) => {
    callParts(backend, 'winogradGradFilter', { ...geometry, rows }, parts, room, (part) => {
      return [x, dy, address + part.sums, part.from, part.from + part.count, part.first]
    })
  })
}

/** Floats of a filter as the products take it. */
export function packedFilter({ channels, outChannels }: Geometry): number {
  return POINTS * channels * outChannels
}

/** Tiles of so many samples. */
export function tilesOf({ outHeight, outWidth }: Geometry, samples: number): number {
  return samples * Math.ceil(outHeight / 2) * Math.ceil(outWidth / 2)
}

/** Into how many parts it is cut. */
function partsOf(backend: SimdBackend, geometry: Geometry): number {
  const { channels, outChannels } = geometry
  return backend.parts(nanoseconds('winograd', tilesOf(geometry, geometry.batch) * POINTS * channels * outChannels))
}
