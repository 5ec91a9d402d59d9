import type { Factor } from '../../study/design/crossing.ts'
import { type NumericFactor, spacingOf } from '../../study/design/spacing.ts'
import type { Axis } from '../figure/axes.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { plotlyAxis } from '../figure/layout.ts'
import { logAxis } from '../figure/ticks.ts'
import { plotlyText } from '../figure/words.ts'
import { shortLevel } from './words.ts'

/** Of more levels, round places are marked instead of each. */
const MARKED = 8
/** Characters below an axis, for all levels and for one. */
const ROOM = 100
const SHORTEST = 6
const LONGEST = 24

/** An axis of numbers, marked at the levels where they are few. */
export function numberAxis({ name, levels }: NumericFactor, style: FigureStyle): Axis {
  const spacing = spacingOf(levels)
  const ticks: Axis =
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
export function levelAxis({ name, levels }: Factor, style: FigureStyle, most?: number): Axis {
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
