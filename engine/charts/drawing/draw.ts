import type { Axis } from '../figure/axes.ts'
import type { Chart } from '../figure/chart.ts'
import type { AnyTrace } from '../figure/figure.ts'
import { placeOf, titleOf, xAxisShapes, xTicksOf, yAxisShapes } from './axisShapes.ts'
import { cellShapes, edgesOf } from './cells.ts'
import { barOf, barShapes, barSpace } from './colorbar.ts'
import type { Box, Drawing, Shape } from './drawing.ts'
import { legendOf } from './legend.ts'
import { fitted, nameLines, plainLines, textWidth } from './letters.ts'
import { barShapes as barMarks, isScaled, type Placed, scatterShapes, strokeOf } from './marks.ts'
import { noteShapes, pointNames } from './notes.ts'
import { columnsOf, type Panel, panelsOf } from './panel.ts'
import { readingsOf } from './readings.ts'
import { type Tick, ticksOf } from './scale.ts'

/** What a chart is drawn on: width and size of letters in one unit, such as points or pixels. */
export interface Sheet {
  width: number
  font: number
  /** Names of series above the panels; true if left out. */
  legend?: boolean
}

/** Pixels of the letters that the sizes of figures go by. */
const LETTER = 11
const RATIO = 0.62 // height of a panel by its width
const LEAST = 6.5 // letters that a panel is high at least, and at most
const HIGHEST = 26
const NARROWEST = 13 // letters that one of several panels is wide
const SURE = 0.45 // share of the width that the inside of a panel has at least
const NAMES = 0.42 // share of the width that names of rows have at most

/** A chart laid out on a sheet, as high as it needs. Texts do not lie on each other, and all have the size of the sheet. */
export function draw(
  { figure, height }: Pick<Chart, 'figure' | 'height'>,
  { width, font, legend = true }: Sheet,
): Drawing {
  const { layout } = figure
  const pixel = font / LETTER
  const text = layout.font?.color ?? 'rgb(0, 0, 0)'
  const above = legend ? legendOf(figure, width - 0.4 * font, font, pixel, text) : { shapes: [], height: 0 }
  const panels = panelsOf(figure)
  const shared = sharedTitle(figure)
  const columns = Math.max(1, Math.min(columnsOf(figure), Math.floor(width / (NARROWEST * font)), panels.length))
  const each = (width - (columns - 1) * font) / columns
  const shapes = [...above.shapes]
  let top = above.height
  let only: { panel: Panel; box: Box } | null = null
  for (let i = 0; i < panels.length; i += columns) {
    const row = panels.slice(i, i + columns)
    const titles = row.map(({ title }) =>
      title === null ? [] : plainLines(title).flatMap((line) => nameLines(line, font, each)),
    )
    const head = Math.max(...titles.map(({ length }) => length))
    const drawn = row.map((panel, k) => {
      const isLast = i + k + columns >= panels.length
      return panelShapes(underShared(panel, isLast ? shared : shared && ''), {
        ...{ title: titles[k] ?? [], head },
        left: k * (each + font),
        top,
        width: each,
        font,
        pixel,
        text,
        px: height,
        margin: layout.margin,
        barmode: layout.barmode,
      })
    })
    shapes.push(...drawn.flatMap((panel) => panel.shapes))
    if (panels.length === 1 && row[0] && drawn[0]) only = { panel: row[0], box: drawn[0].box }
    top = Math.max(...drawn.map((panel) => panel.bottom)) + font * 0.6
  }
  const readings = only ? { readings: readingsOf(only.panel, only.box) } : {}
  return { width, height: top, shapes, ...readings }
}

interface Place {
  left: number
  top: number
  width: number
  font: number
  pixel: number
  text: string
  /** Pixels that the whole drawing has in the page, where it says so. */
  px: number | undefined
  margin: { t: number; b: number } | undefined
  barmode: 'group' | 'overlay' | undefined
  /** The lines above the panel, and how many there are room for, as above the panels beside it. */
  title: string[]
  head: number
}

/** The title of the x axis that panels share, which stands below the last ones; null where each has its own. */
function sharedTitle({ layout }: Chart['figure']): string | null {
  const axes = Object.entries(layout).flatMap(([name, axis]) => (name.startsWith('xaxis') ? [axis as Axis] : []))
  return axes.some(({ matches }) => matches) ? (axes.map(titleOf).find(Boolean) ?? '') : null
}

function underShared(panel: Panel, title: string | null): Panel {
  return title === null ? panel : { ...panel, x: { ...panel.x, title: { ...panel.x.title, text: title } } }
}

function panelShapes(panel: Panel, place: Place): { shapes: Shape[]; bottom: number; box: Box } {
  const { font, pixel, text, width, title } = place
  const { x, y, scaleX, scaleY } = panel
  const guess = Math.max(LEAST * font, Math.min(HIGHEST * font, RATIO * width))
  const named = (y.ticktext?.length ?? 0) > 0 && y.visible !== false
  const yTicks =
    y.visible === false ? [] : ticksOf(y, scaleY, Math.max(2, Math.min(6, Math.floor(guess / (2.2 * font)))))
  const shown = yTicks.map((tick) => ({ ...tick, lines: tick.lines.map((line) => fitted(line, font, NAMES * width)) }))
  const names = Math.max(0, ...shown.flatMap(({ lines }) => lines.map((line) => textWidth(line, font))))
  const yTitle = titleOf(y) === '' ? 0 : font * 1.5
  const beside = (names > 0 ? names + font * 0.6 : y.visible === false ? 0 : font * 0.5) + yTitle
  const left = Math.max(beside, overhang(panel, width, font, pixel))
  const bar = barOf(panel.traces.find(isScaled))
  const right = bar ? barSpace(bar, guess, font) : 0
  const inner = Math.max(font * 4, width - left - right - font * 0.3)
  const [plotWidth, plotHeight] = sizeOf(panel, inner, guess, named ? shown : [], place)
  const xTicks =
    x.visible === false ? [] : ticksOf(x, scaleX, Math.max(2, Math.min(8, Math.floor(plotWidth / (4 * font)))))
  const across = xTicksOf(xTicks, x, scaleX, plotWidth, font)
  const end = lastHalf(across.ticks, font) // of the last tick, beyond the panel where it stands at its end
  const shortened = bar
    ? plotWidth
    : Math.min(plotWidth, inner - Math.max(0, endOver(across.ticks, scaleX.range, plotWidth, end)))
  const head = place.head * font * 1.25 + (x.side === 'top' ? across.height + font * 0.2 : font * 0.4)
  const box: Box = { x: place.left + left, y: place.top + head, width: shortened, height: plotHeight }
  const bottom =
    box.y + box.height + (x.side === 'top' || x.visible === false ? 0 : across.height + (titleOf(x) ? font * 1.3 : 0))
  const look = { box, font, pixel, text }
  const longest = Math.max(0, ...title.map((line) => textWidth(line, font)))
  const shapes: Shape[] = [
    ...title.map(
      (line, i): Shape => ({
        kind: 'text',
        text: line,
        x: Math.max(place.left, Math.min(box.x, place.left + width - longest)),
        y: place.top + font * (1 + 1.25 * (place.head - title.length + i)),
        size: font,
        color: text,
        anchor: 'start',
      }),
    ),
    ...xAxisShapes(x, scaleX, across, look),
    ...yAxisShapes(y, scaleY, shown, place.left + font * 0.85, look),
    ...marksIn(panel, box, place),
    ...(bar ? barShapes(bar, box, font, text) : []),
  ]
  return { shapes, bottom, box }
}

/** Width and height of the inside of a panel: of cells that are squares by their number, of names by their lines. */
function sizeOf(
  { y, scaleX, scaleY }: Panel,
  inner: number,
  guess: number,
  names: Tick[],
  { font, pixel, px, margin }: Place,
): [number, number] {
  const [wide, high] = [scaleX, scaleY].map(({ range: [from, to] }) => Math.abs(to - from)) as [number, number]
  if (y.scaleanchor) {
    const most =
      px === undefined ? Number.POSITIVE_INFINITY : ((px - (margin?.t ?? 0) - (margin?.b ?? 0)) / high) * pixel
    const unit = Math.min(inner / wide, most)
    return [unit * wide, unit * high]
  }
  if (names.length === 0) return [inner, guess]
  const lines = Math.max(...names.map((tick) => tick.lines.length))
  return [inner, Math.max(LEAST * font, names.length * font * (1 + 1.1 * lines))]
}

/** How far names of places, and texts beside them, reach out of the panel to the left. */
function overhang({ x, scaleX, notes }: Panel, width: number, font: number, pixel: number): number {
  const share = placeOf(scaleX, 0, SURE * width)
  const texts = x.visible === false ? [] : ticksOf(x, scaleX, 2).slice(0, 1)
  const firsts = texts.map(({ at, lines }) => Math.max(...lines.map((line) => textWidth(line, font))) / 2 - share(at))
  const others = notes.flatMap((note) => {
    const at = note.xanchor === 'right' ? scaleX.at(note.x) : null
    if (at === null) return []
    const lines = plainLines(note.text).map((line) => textWidth(line, font))
    return [Math.min(NAMES * width, Math.max(...lines)) + 5 * pixel - share(at)]
  })
  return Math.max(0, ...(x.ticktext ? firsts : []), ...others)
}

function lastHalf(ticks: Tick[], font: number): number {
  return Math.max(0, ...(ticks.at(-1)?.lines ?? []).map((line) => textWidth(line, font) / 2))
}

function endOver(ticks: Tick[], [low, high]: [number, number], width: number, half: number): number {
  const last = ticks.at(-1)
  return last ? ((last.at - low) / (high - low)) * width + half - width : 0
}

function marksIn(
  { scaleX, scaleY, traces, notes, rules, bar }: Panel,
  box: Box,
  { font, pixel, barmode, width }: Place,
): Shape[] {
  const [acrossAt, upAt] = [placeOf(scaleX, box.x, box.x + box.width), placeOf(scaleY, box.y + box.height, box.y)]
  const through = (place: (at: number) => number, at: number | null) => (at === null ? null : place(at))
  const at: Placed = {
    x: (value) => through(acrossAt, scaleX.at(value)),
    y: (value) => through(upAt, scaleY.at(value)),
    unitX: acrossAt(1) - acrossAt(0),
    unitY: upAt(1) - upAt(0),
    pixel,
  }
  const exponents: Placed = {
    ...at,
    x: (value) => through(acrossAt, scaleX.log ? Number(value) : scaleX.at(value)),
    y: (value) => through(upAt, scaleY.log ? Number(value) : scaleY.at(value)),
  }
  const lines = rules.flatMap(({ xref, yref, x0, x1, y0, y1, line }): Shape[] => {
    const [fromX, toX] = [x0, x1].map((value) =>
      xref.startsWith('x') && !xref.includes(' ') ? at.x(value) : box.x + Number(value) * box.width,
    )
    const [fromY, toY] = [y0, y1].map((value) =>
      yref.startsWith('y') && !yref.includes(' ') ? at.y(value) : box.y + (1 - Number(value)) * box.height,
    )
    if (fromX == null || toX == null || fromY == null || toY == null) return []
    return [
      {
        kind: 'line',
        points: [
          [fromX, fromY],
          [toX, toY],
        ],
        stroke: strokeOf(line, pixel),
      },
    ]
  })
  const bars = traces.filter((trace) => trace.type === 'bar')
  const markOf = (trace: AnyTrace): Shape[] => {
    if (trace.type === 'scatter') return scatterShapes(trace, at)
    if (trace.type === 'bar')
      return barMarks(trace, at, barmode === 'group' ? [bars.indexOf(trace), bars.length] : [0, 1], bar)
    const edges = edgesOf(trace, { x: scaleX.at, y: scaleY.at })
    return cellShapes(trace, { x: edges.x.map(acrossAt), y: edges.y.map(upAt) }, at, font)
  }
  const marks = traces.map((trace): Shape => {
    const name = trace.type === 'heatmap' ? '' : (trace.legendgroup ?? trace.name)
    return { kind: 'series', name, shapes: markOf(trace) }
  })
  const room = 5 * pixel // for marks at the edge
  const clip = { x: box.x - room, y: box.y - room, width: box.width + 2 * room, height: box.height + 2 * room }
  return [
    { kind: 'clip', box: clip, shapes: [...lines, ...marks] },
    ...noteShapes(notes, exponents, font, NAMES * width),
    ...pointNames(traces, at, font, box),
  ]
}
