import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { layerOf, type MixingRow, tableOf } from './mixingRows.ts'
import { mosaic, type Strip } from './mosaic.ts'

export interface SpatialFiltersOptions {
  /** Output tokens of a layer at most, evenly spaced; 12 if left out. */
  tokens?: number
}

/**
 * Spatial filters as in figure 3 of "Pay Attention to MLPs": a row of small pictures per layer, each the weights with
 * which one output token, or hidden unit, reads the patches, laid out as these lie in the image. Where tokens are no
 * grid, as in text, a filter is a line, below those of other tokens. The scale of a layer is symmetric around 0.
 */
export function spatialFilters(rows: MixingRow[], { tokens = 12 }: SpatialFiltersOptions, style: FigureStyle): Chart {
  const chosen = rows.map((row) => ({ ...row, outputs: evenly(row.rows, tokens) }))
  const filterOf = ({ values, columns }: MixingRow, output: number) =>
    values.subarray(output * columns, (output + 1) * columns)
  const lines = chosen.flatMap((row) =>
    row.outputs.map((output) => ({
      key: [layerOf(row.name), output] as [string, number],
      values: filterOf(row, output),
    })),
  )
  const strips = chosen.map((row): Strip => {
    const { name, columns, grid, outputs } = row
    const label = layerOf(name)
    if (grid) {
      const [high, wide] = grid
      return {
        label,
        tiles: outputs.map((output) => ({
          rows: high,
          columns: wide,
          values: filterOf(row, output),
          name: `${label}, output ${output}`,
          caption: String(output),
        })),
      }
    }
    const values = new Float32Array(outputs.length * columns)
    outputs.forEach((output, i) => {
      values.set(filterOf(row, output), i * columns)
    })
    return { label, tiles: [{ rows: outputs.length, columns, values, name: label }] }
  })
  return {
    title: 'Spatial projection filters',
    ...mosaic(strips, { signed: true, run: rows[0]?.run }, style),
    ...tableOf(['layer', 'output'], lines),
    note: 'What an output token reads from each input token, as these lie in the image; in text, a line an output. Each layer has a scale of its own.',
  }
}

/** At most `limit` of the numbers below `count`, evenly spaced, in their order. */
function evenly(count: number, limit: number): number[] {
  if (count <= limit) return Array.from({ length: count }, (_, i) => i)
  return Array.from({ length: limit }, (_, i) => Math.floor(((i + 0.5) * count) / limit))
}
