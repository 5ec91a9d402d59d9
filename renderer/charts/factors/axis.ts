import type { Factor } from '../../../engine/study/design/crossing.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { plotlyAxis } from '../figure/layout.ts'
import { logAxis } from '../figure/ticks.ts'
import { plotlyText } from '../figure/words.ts'
import { shortLevel } from './words.ts'

/** How the levels of a numeric factor are spread: evenly, or by powers of two or ten. */
export type Spacing = 'linear' | 'log2' | 'log10'

/** From this ratio on, two levels are spread by powers. */
const WIDE = 10
/** Of more levels, round places are marked instead of each. */
const MARKED = 8
/** Characters below an axis, for all levels and for one. */
const ROOM = 100
const SHORTEST = 6
const LONGEST = 24

/** A factor whose levels are all numbers. */
export interface NumericFactor extends Factor {
  levels: number[]
}

export function isNumeric(factor: Factor): factor is NumericFactor {
  return factor.levels.every((level) => typeof level === 'number' && Number.isFinite(level))
}

/** By powers where levels above 0 lie more evenly so, as learning rates do; by powers of two where all are such. */
export function spacingOf(levels: readonly number[]): Spacing {
  const sorted = levels.toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)]
  if (low <= 0) return 'linear'
  const wide = sorted.length > 2 ? unevenness(sorted.map(Math.log)) < unevenness(sorted) : high / low >= WIDE
  const twos = sorted.every((level) => level >= 1 && Number.isInteger(Math.log2(level)))
  if (twos && (wide || high / low > 2)) return 'log2'
  return wide ? 'log10' : 'linear'
}

/** The largest step of sorted numbers over the smallest. */
function unevenness(sorted: readonly number[]): number {
  const steps = sorted.slice(1).map((value, i) => value - (sorted[i] ?? 0))
  return Math.max(...steps) / Math.min(...steps)
}

/** An axis of numbers, marked at the levels where they are few. */
export function numberAxis({ name, levels }: NumericFactor, style: FigureStyle): Record<string, unknown> {
  const spacing = spacingOf(levels)
  const ticks =
    levels.length <= MARKED
      ? { tickmode: 'array', tickvals: levels, ticktext: levels.map(String) }
      : spacing === 'log2'
        ? { dtick: Math.log10(2) }
        : {}
  return {
    ...plotlyAxis(plotlyText(name), style),
    ...(spacing === 'linear' ? {} : logAxis([...levels])),
    ...ticks,
  }
}

/** An axis with a place for each level, in their order. */
export function levelAxis({ name, levels }: Factor, style: FigureStyle, most?: number): Record<string, unknown> {
  const room = Math.min(LONGEST, Math.max(SHORTEST, Math.floor(ROOM / levels.length)))
  return {
    ...plotlyAxis(plotlyText(name), style),
    type: 'linear',
    showgrid: false,
    tickmode: 'array',
    tickvals: levels.map((_, place) => place),
    ticktext: levels.map((level) => shortLevel(level, most ?? room)),
    tickfont: { color: style.text, size: 12 },
    range: [-0.5, levels.length - 0.5],
  }
}
