import type { SimdBackend } from '../backend.ts'
import { type Axis, collapse, nest } from './shapeAxes.ts'

/** Where an array starts: an address in bytes and elements from there. */
export interface Place {
  address: number
  offset?: number
}

/**
 * Copies 32-bit elements; the steps of each axis are those of `from` and of `to`. The elements of the last axis lie side
 * by side in `to`, and in `from` too unless they are one element that is repeated.
 */
export function copyStrided({ wasm }: SimdBackend, from: Place, to: Place, axes: Axis[]): void {
  if (axes.some(({ size }) => size === 0)) return
  const collapsed = collapse(axes)
  const last = collapsed.at(-1)
  if (last?.steps[1] !== 1 || (last.steps[0] as number) > 1) collapsed.push({ size: 1, steps: [1, 1] })
  nest(collapsed, ([x = 0, out = 0], inside) => {
    const sizes = inside.map(({ size }) => size) as [number, number, number, number]
    const xSteps = inside.map(({ steps }) => steps[0]) as [number, number, number, number]
    const outSteps = inside.slice(0, 3).map(({ steps }) => steps[1]) as [number, number, number]
    const [xStart, outStart] = [(from.offset ?? 0) + x, (to.offset ?? 0) + out]
    wasm.copy(from.address + 4 * xStart, to.address + 4 * outStart, ...sizes, ...xSteps, ...outSteps)
  })
}
