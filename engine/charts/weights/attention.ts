import type { AttentionMap } from '../../nn/attentionMaps.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { tableOf } from './mixingRows.ts'
import { mosaic } from './mosaic.ts'

/** Attention of one example: of a run, at one layer. */
export interface AttentionRow extends AttentionMap {
  run?: number
}

/** Attention maps by layer and head: queries as rows, keys as columns. Each layer has a scale of its own, from 0. */
export function attention(rows: AttentionRow[], style: FigureStyle): Chart {
  const heads = rows.flatMap((row) => {
    const size = row.rows * row.columns
    return Array.from({ length: row.heads }, (_, head) => ({
      layer: row.layer,
      head,
      rows: row.rows,
      columns: row.columns,
      values: row.values.subarray(head * size, (head + 1) * size),
    }))
  })
  const strips = rows.map(({ layer }) => ({
    label: layer,
    tiles: heads
      .filter((head) => head.layer === layer)
      .map(({ head, rows, columns, values }) => {
        return { rows, columns, values, name: `${layer}, head ${head}`, caption: `head ${head}` }
      }),
  }))
  const lines = heads.flatMap(({ layer, head, rows, columns, values }) =>
    Array.from({ length: rows }, (_, i) => ({
      key: [`${layer}, head ${head}`, i] as [string, number],
      values: values.subarray(i * columns, (i + 1) * columns),
    })),
  )
  return {
    title: 'Attention',
    ...mosaic(strips, { signed: false, run: rows[0]?.run }, style),
    ...tableOf(['head', 'token'], lines),
    note: 'The token that asks down, what it attends to across: tokens, or slots of a memory. One example; colours go by the square root.',
  }
}
