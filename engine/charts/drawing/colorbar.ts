import type { AnyTrace, ColorScale } from '../figure/figure.ts'
import { roundTicks } from '../figure/ticks.ts'
import { colourRange } from './cells.ts'
import type { Box, Shape } from './drawing.ts'
import { textWidth } from './letters.ts'
import { colourAt } from './marks.ts'
import { formatted } from './numbers.ts'

/** The colour scale of a panel. */
export interface Bar {
  range: [number, number]
  scale: ColorScale
  format: string | undefined
}

const STEPS = 64
const THICK = 0.8 // letters

export function barOf(trace: AnyTrace | undefined): Bar | null {
  if (!trace || trace.type === 'bar') return null
  if (trace.type === 'heatmap') {
    return { range: colourRange(trace), scale: trace.colorscale, format: trace.colorbar?.tickformat }
  }
  const { color, cmin, cmax, colorscale = [], colorbar } = trace.marker ?? {}
  const known = Array.isArray(color) ? color.filter((value) => value !== null) : []
  const low = cmin ?? known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const high = cmax ?? known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return { range: [low, high], scale: colorscale, format: colorbar?.tickformat }
}

function ticksOf({ range: [low, high], format }: Bar, height: number, font: number): { value: number; text: string }[] {
  const count = Math.max(3, Math.min(5, Math.floor(height / (2 * font))))
  return roundTicks(low, high, count).map((value) => ({ value, text: formatted(value, format || '~g') }))
}

/** How wide a scale is, with its numbers. */
export function barSpace(bar: Bar, height: number, font: number): number {
  const texts = ticksOf(bar, height, font).map(({ text }) => textWidth(text, font))
  return font * (THICK + 1.4) + Math.max(0, ...texts)
}

/** A scale at the right of a panel. */
export function barShapes(bar: Bar, box: Box, font: number, color: string): Shape[] {
  const rgba = new Uint8Array(STEPS * 4)
  for (let i = 0; i < STEPS; i++) rgba.set([...colourAt(bar.scale, 1 - i / (STEPS - 1)), 255], 4 * i)
  const x = box.x + box.width + font * 0.8
  const [low, high] = bar.range
  return [
    { kind: 'image', box: { x, y: box.y, width: font * THICK, height: box.height }, columns: 1, rows: STEPS, rgba },
    ...ticksOf(bar, box.height, font).map(({ value, text }): Shape => {
      const share = high > low ? (value - low) / (high - low) : 0.5
      const y = box.y + box.height * (1 - share) + font * 0.36
      return { kind: 'text', text, x: x + font * (THICK + 0.4), y, size: font, color, anchor: 'start' }
    }),
  ]
}
