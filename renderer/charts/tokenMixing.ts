import type { Chart } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'
import { layerOf, type MixingRow, tableOf } from './mixingRows.ts'
import { mosaic, type Tile } from './mosaic.ts'

/** Matrices side by side. */
const ACROSS = 3

/** The token-mixing matrices of some layers of a run, each with a scale of its own: output tokens down, inputs across. */
export function tokenMixing(rows: MixingRow[], style: FigureStyle): Chart {
  const tiles = rows.map(({ name, rows, columns, values }): Tile => {
    const layer = layerOf(name)
    return { rows, columns, values, name: layer, caption: layer }
  })
  const strips = Array.from({ length: Math.ceil(tiles.length / ACROSS) }, (_, i) => ({
    tiles: tiles.slice(i * ACROSS, (i + 1) * ACROSS),
  }))
  const lines = rows.flatMap(({ name, rows, columns, values }) =>
    Array.from({ length: rows }, (_, i) => ({
      key: [layerOf(name), i] as [string, number],
      values: values.subarray(i * columns, (i + 1) * columns),
    })),
  )
  return {
    title: 'Token-mixing weights',
    ...mosaic(strips, { signed: true, run: rows[0]?.run }, style),
    ...tableOf(['layer', 'output'], lines),
    note: 'Output tokens down, input tokens across. Each matrix has a scale of its own, from − to + what stands above it.',
  }
}
