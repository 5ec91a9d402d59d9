import type { Place } from '../figure/axes.ts'
import { placeOf } from './axisShapes.ts'
import type { Box, Readings } from './drawing.ts'
import { plainLines } from './letters.ts'
import type { Panel } from './panel.ts'

/** What a pointer reads in a panel: of series that the legend names, or of the only one. */
export function readingsOf({ x, y, scaleX, traces }: Panel, box: Box): Readings {
  const at = placeOf(scaleX, box.x, box.x + box.width)
  const series = traces.filter((trace) => trace.type !== 'heatmap' && x.visible !== false && y.visible !== false)
  const named = series.filter((trace) => trace.type !== 'heatmap' && trace.showlegend)
  return {
    box,
    series: (named.length > 0 ? named : series.slice(0, series.length === 1 ? 1 : 0)).flatMap((trace) => {
      if (trace.type === 'heatmap') return []
      const errors = 'error_y' in trace ? trace.error_y?.array : undefined
      const points = trace.x.flatMap((value, i): Readings['series'][number]['points'] => {
        const place = scaleX.at(value)
        const half = errors?.[i] ?? null
        const read = trace.y[i] ?? null
        if (place === null || read === null) return []
        return [
          [Math.round(at(place) * 10) / 10, text(value, 6), `${text(read, 5)}${half ? ` ± ${text(half, 2)}` : ''}`],
        ]
      })
      return [{ name: plainLines(trace.name).join(' '), points }]
    }),
  }
}

function text(value: Place, digits: number): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(digits))) : String(value ?? '–')
}
