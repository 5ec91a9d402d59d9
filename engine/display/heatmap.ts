import { figure } from './figures.ts'
import { checkOptions, isOptions, type TitleOptions, titles } from './marks.ts'
import { checkLength, jsonNumber, type Matrix, readMatrix, readValues, type Values } from './read.ts'
import { type MatrixReader, shrink } from './thin.ts'
import type { Heatmap } from './types.ts'

export interface HeatmapOptions extends TitleOptions {
  z: Matrix
  /** Names of the columns and of the rows. */
  x?: Values
  y?: Values
}

/** Of more rows or columns, blocks are shown by their means. */
const MAX_SIDE = 128

/** A matrix in colours. */
export function heatmap(given: Matrix | HeatmapOptions): Heatmap {
  const path = 'plot.heatmap'
  const options: HeatmapOptions = isOptions(given) ? given : { z: given }
  checkOptions(options, ['z', 'x', 'y', 'title', 'xLabel', 'yLabel'], path)
  const grid = readMatrix(options.z, `${path}.z`)
  const x = options.x === undefined ? null : readValues(options.x, `${path}.x`)
  const y = options.y === undefined ? null : readValues(options.y, `${path}.y`)
  if (x) checkLength(`${path}.x`, x.length, 'a row of z', grid.width)
  if (y) checkLength(`${path}.y`, y.length, 'a column of z', grid.height)
  const shown = heatmapOf(grid, MAX_SIDE)
  return figure<Heatmap>({ ...shown, ...titles(options), ...(shown.note === null ? { x, y } : {}) })
}

/** A matrix in colours, shown by the means of blocks where it has more than `side` rows or columns. */
export function heatmapOf(grid: MatrixReader, side: number): Heatmap {
  const { height, width } = grid
  return {
    type: 'heatmap',
    z: shrink(grid, side).map((row) => row.map((value) => jsonNumber(value))),
    x: null,
    y: null,
    ...titles({}),
    note: height <= side && width <= side ? null : `means over blocks of a ${height} × ${width} matrix`,
  }
}
