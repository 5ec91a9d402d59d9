import type { Matrix } from '../../weights/tables.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { layerOf, tableOf } from './mixingRows.ts'
import { captionWidth, mosaic, type Tile } from './mosaic.ts'

/** A matrix of a layer, of a run. */
export interface MatrixRow extends Matrix {
  run?: number
}

interface Subject {
  title: string
  /** What a row is. */
  row: string
  note: string
  /** Matrices side by side. */
  across: number
}

/** Pixels below which two names of layers stand side by side, not three. */
const NARROW = 480

/** What the matrices of a model are. */
const SUBJECTS = {
  mixing: {
    title: 'Token-mixing weights',
    row: 'output',
    note: 'Output tokens down, input tokens across.',
    across: 3,
  },
  difference: {
    title: 'Difference of token-mixing weights',
    row: 'output',
    note: 'The second run minus the first; output tokens down, input tokens across.',
    across: 3,
  },
  memories: {
    title: 'External memories',
    row: 'slot',
    note: 'Memory slots down, channels across: keys, with which tokens are compared, and values, of which they are made.',
    across: 2,
  },
  relative: {
    title: 'Biases of relative positions',
    row: 'head',
    note: 'Heads down; across, buckets of distances from keys far before the query over itself, in the middle, to keys far after it: one a distance nearby, wider ones further away.',
    across: 1,
  },
} satisfies Record<string, Subject>

/** The matrices of some layers of a run, each with a scale of its own. */
export function matrices(rows: MatrixRow[], subject: keyof typeof SUBJECTS, style: FigureStyle): Chart {
  const { title, row: what, note, across: most } = SUBJECTS[subject]
  const tiles = rows.map(({ name, rows, columns, values }): Tile => {
    const layer = layerOf(name)
    return { rows, columns, values, name: layer, caption: layer }
  })
  const lines = rows.flatMap(({ name, rows, columns, values }) =>
    Array.from({ length: rows }, (_, i) => ({
      key: [layerOf(name), i] as [string, number],
      values: values.subarray(i * columns, (i + 1) * columns),
    })),
  )
  return {
    title,
    ...onPage(tiles, most, rows[0]?.run, style),
    ...tableOf(['layer', what], lines),
    note: `${note} Each matrix has a scale of its own, from − to + what stands above it.`,
  }
}

/** Tiles in rows of so many, or of more where they would be higher than a page, as far as their names have the room. */
function onPage(tiles: Tile[], most: number, run: number | undefined, style: FigureStyle) {
  const { room = NARROW, page = Number.POSITIVE_INFINITY } = style
  const drawn = (across: number) => {
    const strips = Array.from({ length: Math.ceil(tiles.length / across) }, (_, i) => ({
      tiles: tiles.slice(i * across, (i + 1) * across),
    }))
    return mosaic(strips, { signed: true, run }, style)
  }
  const side = room < NARROW ? Math.min(2, most) : most
  const fitting = Math.min(tiles.length, Math.floor(room / captionWidth(tiles)))
  let made = drawn(side)
  for (let across = side + 1; made.height > page && across <= fitting; across++) made = drawn(across)
  return made
}
