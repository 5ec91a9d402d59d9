import type { SimdBackend } from '../backend.ts'
import { type Four, type Loop, shareLoop } from '../share.ts'
import { collapse, type LoopAxis, nest } from './shapeAxes.ts'

/** Where an array starts: an address in bytes and elements from there. */
export interface ArrayStart {
  address: number
  offset?: number
}

/** One call of the kernel: elements to skip in x and in out, then sizes and steps. */
export interface CopyCall {
  offsets: [x: number, out: number]
  numbers: [...Four, ...Four, number, number, number]
}

/**
 * The calls that copy 32-bit elements along axes with steps in `from` and in `to`. The elements of the last axis lie
 * side by side in `to`, and in `from` too unless they are one element that is repeated.
 */
export function copyCalls(axes: LoopAxis[]): CopyCall[] {
  if (axes.some(({ size }) => size === 0)) return []
  const collapsed = collapse(axes)
  const last = collapsed.at(-1)
  if (last?.steps[1] !== 1 || (last.steps[0] as number) > 1) collapsed.push({ size: 1, steps: [1, 1] })
  const calls: CopyCall[] = []
  nest(collapsed, ([x = 0, out = 0], inside) => {
    const sizes = inside.map(({ size }) => size) as Four
    const xSteps = inside.map(({ steps }) => steps[0]) as Four
    const outSteps = inside.slice(0, 3).map(({ steps }) => steps[1]) as [number, number, number]
    calls.push({ offsets: [x, out], numbers: [...sizes, ...xSteps, ...outSteps] })
  })
  return calls
}

/** Copies along axes; see `copyCalls`. */
export function copyStrided(backend: SimdBackend, from: ArrayStart, to: ArrayStart, axes: LoopAxis[]): void {
  for (const { offsets, numbers } of copyCalls(axes)) {
    const [xStart, outStart] = [(from.offset ?? 0) + offsets[0], (to.offset ?? 0) + offsets[1]]
    const [n0, n1, n2, n3, x0, x1, x2, x3, out0, out1, out2] = numbers
    const loop: Loop<[x: number, out: number]> = {
      addresses: [from.address + 4 * xStart, to.address + 4 * outStart],
      sizes: [n0, n1, n2, n3],
      steps: [
        [x0, x1, x2, x3],
        [out0, out1, out2, 1],
      ],
    }
    shareLoop(backend, 'copy', loop, (starts, part) => [...starts, ...part, x0, x1, x2, x3, out0, out1, out2])
  }
}
