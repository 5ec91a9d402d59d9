import { textWidth } from '../drawing/letters.ts'
import type { Annotation, Axis, Layout } from '../figure/axes.ts'
import { densities, signs } from '../figure/colorScales.ts'
import type { AnyTrace, FigureStyle, HeatmapTrace, PlotlyFigure } from '../figure/figure.ts'
import { frame, plotlyAxis } from '../figure/layout.ts'
import { plotlyNumber, plotlyText } from '../figure/words.ts'

/** A small matrix in colours. */
export interface Tile {
  rows: number
  columns: number
  /** Row by row. */
  values: ArrayLike<number>
  /** What the pointer says. */
  name: string
  /** What stands above it. */
  caption?: string
}

/**
 * Tiles side by side. With a label they share a scale, which stands beside it; without, each has its own above it, and
 * they are as far apart as in the other strips.
 */
export interface Strip {
  label?: string
  tiles: Tile[]
}

export interface MosaicOptions {
  /** Whether 0 is the middle of the scales, or their lower end. */
  signed: boolean
  /** The run behind it all. */
  run?: number | undefined
}

const WIDTH = 540 // px that are thought to be there for the tiles, or less on paper
const LABEL = 120 // px of it beside strips that have labels
const CELL = 12 // px of a cell at most
const LETTER = 6 // px of it in a caption
const FONT = 11 // px of its letters
const LINE = 18 // px of a line of a caption, where there is less width too
const ONE_LINE = 1.3 // lines that one alone takes, to stand clear of the tiles above it
const BESIDE = 6 // px between a label and its tiles
const MARGIN = 16 // px

/**
 * Strips below each other in one drawing with one pair of axes, in which a cell is a unit: any number of tiles that share
 * a scale costs one trace.
 */
export function mosaic(
  strips: Strip[],
  { signed, run }: MosaicOptions,
  style: FigureStyle,
): { figure: PlotlyFigure<AnyTrace>; height: number } {
  const tiles = strips.flatMap((strip) => strip.tiles)
  const gap = Math.max(1, Math.round(Math.max(0, ...tiles.map(({ columns }) => columns)) / 16))
  const labelled = strips.some(({ label }) => label !== undefined)
  const room = Math.min(WIDTH, (style.room ?? Number.POSITIVE_INFINITY) - (labelled ? LABEL : 0))
  const pitch = Math.max(
    Math.max(0, ...tiles.map(({ columns }) => columns)) + gap,
    captionCells(
      strips.filter(({ label }) => label === undefined),
      room,
    ) + gap,
  )
  const width = Math.max(
    1,
    ...strips.map(({ label, tiles }) => (label === undefined ? tiles.length * pitch - gap : widthOf(tiles, gap))),
  )
  const cell = Math.min(CELL, room / width)
  const lines = strips.some(({ label }) => label === undefined)
    ? 1 + Math.max(...tiles.map(({ caption = '' }) => linesOf(caption).length)) // the scale is one
    : tiles.some(({ caption }) => caption)
      ? ONE_LINE
      : 0
  const between = Math.max(gap, Math.ceil((lines * LINE) / cell))
  const groups: Group[] = []
  let top = lines > 0 ? between : 0
  for (const strip of strips) {
    groups.push(...groupsOf(strip, top, pitch))
    top += heightOf(strip.tiles) + between
  }
  const bottom = Math.max(1, top - between)
  const scaleOf = ({ most }: Group) => `${signed ? '±' : '≤'} ${Number(most.toPrecision(2))}`
  const look = { colorscale: signed ? signs(style) : densities(style), showscale: false, hoverongaps: false }
  const data = groups.map((group): HeatmapTrace => {
    const most = group.most || 1
    return {
      type: 'heatmap',
      ...cellsOf(group.tiles, gap),
      x0: group.left,
      y0: group.top,
      ...look,
      zmin: signed ? -most : 0,
      zmax: most,
      hovertemplate: '%{text}: %{z:.3g}<extra></extra>',
      ...(run === undefined ? {} : { meta: { run } }),
    }
  })
  const named = groups.filter(({ label }) => label !== undefined)
  const hidden: Axis = { ...plotlyAxis('', style), showgrid: false, showline: false, ticks: '', constrain: 'domain' }
  const layout: Layout = {
    ...frame(style),
    margin: { l: MARGIN, r: MARGIN, t: MARGIN, b: MARGIN },
    xaxis: {
      ...hidden,
      visible: false,
      range: [-0.5 - (labelled ? BESIDE / cell : 0), width - 0.5],
      constraintoward: 'left',
    },
    yaxis: {
      ...hidden,
      range: [bottom - 0.5, -0.5],
      constraintoward: 'top',
      scaleanchor: 'x',
      tickvals: named.map(({ tiles, top }) => top + (heightOf(tiles) - 1) / 2),
      ticktext: named.map((group) => `${scaleOf(group)}   ${inLines(group.label ?? '')}`),
    },
    annotations: groups.flatMap((group) => captionsOf(group, gap, scaleOf(group), style)),
  }
  return { figure: { data, layout }, height: Math.ceil(bottom * cell) + 2 * MARGIN }
}

/** How many cells of full size the longest line above a tile takes, as far as there is room for as much beside all others. */
function captionCells(strips: readonly Strip[], room: number): number {
  const lines = strips.flatMap(({ tiles }) => tiles.flatMap(({ caption = '' }) => linesOf(caption)))
  const longest = Math.max(0, ...lines.map(({ length }) => length))
  const side = Math.max(1, ...strips.map(({ tiles }) => tiles.length))
  return Math.min(Math.ceil((longest * LETTER) / CELL), Math.floor(room / side / CELL) - 1)
}

/** Pixels of the longest line above tiles, clear of the next one. */
export function captionWidth(tiles: readonly Tile[]): number {
  const lines = tiles.flatMap(({ caption = '' }) => linesOf(caption))
  return Math.max(1, ...lines.map((line) => textWidth(line, FONT))) + BESIDE
}

const linesOf = (caption: string) => inLines(caption).split('<br>')

/** The name of a layer with the block that it is in on a line of its own. */
function inLines(name: string): string {
  return plotlyText(name).replace(/^(.*?\.\d+)\./, '$1<br>')
}

/** Tiles with one scale, from a place on. */
interface Group extends Strip {
  left: number
  top: number
  /** The largest absolute value. */
  most: number
}

function groupsOf({ label, tiles }: Strip, top: number, pitch: number): Group[] {
  if (label !== undefined) return [{ label, tiles, left: 0, top, most: extent(tiles) }]
  return tiles.map((tile, i) => ({ tiles: [tile], left: i * pitch, top, most: extent([tile]) }))
}

function widthOf(tiles: Tile[], gap: number): number {
  return tiles.reduce((sum, { columns }) => sum + columns + gap, -gap)
}

function heightOf(tiles: Tile[]): number {
  return Math.max(1, ...tiles.map(({ rows }) => rows))
}

function extent(tiles: Tile[]): number {
  let most = 0
  for (const { values } of tiles) {
    for (let i = 0; i < values.length; i++) {
      const value = Math.abs(values[i] ?? 0)
      if (value > most && Number.isFinite(value)) most = value
    }
  }
  return most
}

/** Values and words of tiles side by side, null between them. */
function cellsOf(tiles: Tile[], gap: number): { z: (number | null)[][]; text: string[][] } {
  const high = heightOf(tiles)
  const z: (number | null)[][] = Array.from({ length: high }, () => [])
  const text: string[][] = z.map(() => [])
  tiles.forEach(({ rows, columns, values, name }, i) => {
    const words = plotlyText(name)
    for (let row = 0; row < high; row++) {
      const [to, said] = [z[row] as (number | null)[], text[row] as string[]]
      for (let k = 0; i > 0 && k < gap; k++) {
        to.push(null)
        said.push('')
      }
      for (let column = 0; column < columns; column++) {
        to.push(row < rows ? plotlyNumber(values[row * columns + column]) : null)
        said.push(words)
      }
    }
  })
  return { z, text }
}

function captionsOf({ label, tiles, left, top }: Group, gap: number, scale: string, style: FigureStyle): Annotation[] {
  return tiles.flatMap(({ caption }, i): Annotation[] => {
    if (!caption) return []
    const at = left + (i === 0 ? 0 : widthOf(tiles.slice(0, i), gap) + gap)
    const text = label === undefined ? `${inLines(caption)}<br>${scale}` : plotlyText(caption)
    const font = { size: FONT, color: style.muted }
    return [
      {
        text,
        font,
        showarrow: false,
        align: 'left',
        x: at - 0.5,
        xanchor: 'left',
        y: top - 0.5,
        yanchor: 'bottom',
      },
    ]
  })
}
