import type { Stroke } from './glyphs-strokes.ts'

/** Moves the points of a stroke. */
export type Move = (x: number, y: number) => readonly [number, number]

export function movedStroke(stroke: Stroke, move: Move): Stroke {
  return Array.from({ length: stroke.length / 2 }, (_, i) => move(stroke[2 * i] ?? 0, stroke[2 * i + 1] ?? 0)).flat()
}

export function strokeLength(stroke: Stroke): number {
  let length = 0
  for (let i = 2; i < stroke.length; i += 2) {
    length += Math.hypot((stroke[i] ?? 0) - (stroke[i - 2] ?? 0), (stroke[i + 1] ?? 0) - (stroke[i - 1] ?? 0))
  }
  return length
}

/** Lays a stroke, in pixels, over `cover`, `[size, size]`: 1 where there is ink, its edge one pixel soft. */
export function paintStroke(stroke: Stroke, thickness: number, cover: Float32Array, size: number): void {
  for (let i = 2; i < stroke.length; i += 2) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = stroke.slice(i - 2, i + 2)
    const [dx, dy] = [x1 - x0, y1 - y0]
    const square = Math.max(dx * dx + dy * dy, 1e-9)
    const reach = thickness / 2 + 1
    const clamp = (value: number) => Math.min(size - 1, Math.max(0, Math.round(value)))
    for (let y = clamp(Math.min(y0, y1) - reach); y <= clamp(Math.max(y0, y1) + reach); y++) {
      for (let x = clamp(Math.min(x0, x1) - reach); x <= clamp(Math.max(x0, x1) + reach); x++) {
        const along = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / square))
        const distance = Math.hypot(x - x0 - along * dx, y - y0 - along * dy)
        const ink = Math.min(1, Math.max(0, thickness / 2 + 0.5 - distance))
        cover[y * size + x] = Math.max(cover[y * size + x] ?? 0, ink)
      }
    }
  }
}
