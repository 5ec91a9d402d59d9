import type { Explanation } from '../../records/explanation.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { mosaic, type Tile } from './mosaic.ts'

/** What of an explanation is drawn over a picture. */
export type PictureExplanation = Pick<Explanation, 'name' | 'units' | 'drops' | 'gradient'> & {
  grid: [rows: number, columns: number]
}

/** Which parts of a picture speak for a class: its probability without each patch, and gradient times input of each pixel. */
export function whyPicture({ name, grid, units, drops, gradient }: PictureExplanation, style: FigureStyle): Chart {
  const [rows, columns] = gradient ? [gradient.rows, gradient.columns] : grid
  const patch = (at: number) => {
    const [row, column] = [Math.floor(at / columns), at % columns]
    return Math.floor((row * grid[0]) / rows) * grid[1] + Math.floor((column * grid[1]) / columns)
  }
  const lost = Array.from({ length: rows * columns }, (_, at) => drops[patch(at)] ?? 0)
  const tiles: Tile[] = [
    { rows, columns, values: lost, name: 'lost without its patch', caption: 'lost without its patch' },
    ...(gradient ? [{ ...gradient, name: 'gradient times input', caption: 'gradient times input' }] : []),
  ]
  return {
    title: `What speaks for ${name}`,
    ...mosaic([{ tiles }], { signed: true }, style),
    columns: ['patch', 'probability lost without it'],
    rows: units.map((unit, i) => [unit, drops[i] ?? 0]),
    note: `Each patch in turn is replaced by the mean colour: what of the probability of ${name} is lost. Gradient times input is that of its logit, summed over channels. Each has its own scale; 0 is the middle.`,
  }
}

/** How far a token of `tokens` moves, after each block that has as many, where a unit of the input is replaced. */
export function mixingOf(
  { grid, units, mixing }: Pick<Explanation, 'grid' | 'units' | 'mixing'>,
  tokens: number,
  token: number,
  style: FigureStyle,
): Chart {
  const [rows, columns] = grid ?? [1, units.length]
  const same = mixing.filter((each) => each.tokens === tokens) // of blocks before a merge a token is another place
  const blocks = same.map(({ block, values }) => {
    return { block, values: values.subarray(token * units.length, (token + 1) * units.length) }
  })
  const tiles = blocks.map(({ block, values }): Tile => {
    return { rows, columns, values, name: `after block ${block}`, caption: `block ${block}` }
  })
  return {
    title: `What token ${token + 1} is made of`,
    ...mosaic(grid ? [{ tiles }] : tiles.map((tile) => inRow(tile)), { signed: false }, style),
    columns: ['replaced', ...blocks.map(({ block }) => `block ${block}`)],
    rows: units.map((unit, i) => [unit, ...blocks.map(({ values }) => values[i] ?? 0)]),
    note: 'How far the token moves after each block where a part of the input is replaced, by the norm over channels; each block has its own scale.',
  }
}

/** A tile in a row of its own, with its name in front. */
const inRow = ({ caption = '', ...tile }: Tile) => ({ label: caption, tiles: [tile] })
