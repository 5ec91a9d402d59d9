import { MixlabError } from '../../errors.ts'
import type { Axis, Place } from '../figure/axes.ts'
import type { Chart } from '../figure/chart.ts'
import type { BarTrace, DotsTrace, HeatmapTrace, MarkerSymbol, PlotlyTrace } from '../figure/figure.ts'
import { colourRange, edgesOf } from './cells.ts'
import { plainLines } from './letters.ts'
import { columnsOf, type Panel, panelsOf } from './panel.ts'
import { type Scale, ticksOf } from './scale.ts'
import { channels, colour, dash, escaped, n, tex } from './tex.ts'

/** Cells that TeX has the memory for. */
const CELLS = 10_000
const RATIO = 0.62
const COLUMN = 14 // letters that a panel is wide at least

/**
 * A chart as a picture for LaTeX with pgfplots, to be taken in by `\input`: the numbers stand in it, and may be changed
 * there. Width and letters in points. Throws MixlabError `option` for matrices with more cells than TeX has memory for.
 */
export function pgfplotsOf(
  { title, figure }: Pick<Chart, 'title' | 'figure'>,
  { width, font }: { width: number; font: number },
): string {
  const cells = figure.data.reduce(
    (sum, trace) => sum + (trace.type === 'heatmap' ? trace.z.length * (trace.z[0]?.length ?? 0) : 0),
    0,
  )
  if (cells > CELLS) {
    throw new MixlabError(
      'option',
      'pgfplots',
      `${title || 'the chart'} has ${cells} cells, TeX takes ${CELLS}; save it as PDF or SVG`,
    )
  }
  const panels = panelsOf(figure)
  const columns = Math.max(1, Math.min(columnsOf(figure), Math.floor(width / (COLUMN * font)), panels.length))
  const each = width / columns
  const inner = [each - 5 * font, Math.max(6 * font, RATIO * (each - 5 * font))] as const
  const letters = `font=\\fontsize{${n(font)}}{${n(font * 1.2)}}\\selectfont`
  const axes = panels.map((panel, i) => {
    const at = `(${n((i % columns) * each)}pt, ${n(-Math.floor(i / columns) * (inner[1] + 5 * font))}pt)`
    return axisOf(panel, figure.layout.showlegend !== false && i === 0, at, inner, font)
  })
  return `% ${title.replaceAll(/[\r\n]/g, ' ')}
% Needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16} in the preamble.
\\begin{tikzpicture}[every node/.append style={${letters}}]
${axes.join('\n')}
\\end{tikzpicture}
`
}

function axisOf(
  panel: Panel,
  legend: boolean,
  at: string,
  [width, height]: readonly [number, number],
  font: number,
): string {
  const { x, y, scaleX, scaleY, traces, title, rules, notes } = panel
  const squared = y.scaleanchor
    ? Math.abs((scaleY.range[1] - scaleY.range[0]) / (scaleX.range[1] - scaleX.range[0])) * width
    : height
  const options = [
    `at={${at}}`,
    'anchor=north west',
    'scale only axis',
    `width=${n(width)}pt`,
    `height=${n(squared)}pt`,
    ...(title ? [`title={${tex(title)}}`] : []),
    ...axisOptions('x', x, scaleX, width / (4 * font)),
    ...axisOptions('y', y, scaleY, squared / (2.5 * font)),
    'axis line style={draw=black!30}',
    'grid style={black!12}',
    'tick style={draw=none}',
    'unbounded coords=jump',
    'scaled ticks=false',
    `legend style={draw=none, fill=none, at={(0,${title ? 1.25 : 1.03})}, anchor=south west, legend columns=3, cells={anchor=west}}`,
  ]
  const plots = traces.flatMap((trace) => {
    if (trace.type === 'bar') return barPlot(trace, panel, legend)
    if (trace.type === 'heatmap') return cellPlot(trace, panel)
    return scatterPlot(trace, legend, panel)
  })
  const lines = rules.map(({ xref, yref, x0, x1, y0, y1, line }) => {
    const end = (scale: Scale, share: number | null) =>
      valueAt(scale, scale.range[0] + Number(share) * (scale.range[1] - scale.range[0]))
    const [fromX, toX] = [x0, x1].map((value) =>
      xref === 'paper' || xref.includes(' ') ? end(scaleX, value) : Number(value),
    )
    const [fromY, toY] = [y0, y1].map((value) =>
      yref === 'paper' || yref.includes(' ') ? end(scaleY, value) : Number(value),
    )
    return `\\draw[${colour(line.color)}, ${dash(line.dash)}] (axis cs:${n(fromX)},${n(fromY)}) -- (axis cs:${n(toX)},${n(toY)});`
  })
  const texts = notes.map(({ text, x, y, xanchor = 'center', yanchor = 'middle' }) => {
    const place = `${n(valueAt(scaleX, Number(x)))},${n(valueAt(scaleY, Number(y)))}`
    const anchor = [UP[yanchor], BESIDE[xanchor]].filter(Boolean).join(' ') || 'center'
    return `\\node[anchor=${anchor}, align=left, inner sep=2pt] at (axis cs:${place}) {${plainLines(text).map(escaped).join('\\\\')}};`
  })
  return `\\begin{axis}[\n  ${options.join(',\n  ')},\n]\n${[...plots, ...lines, ...texts].join('\n')}\n\\end{axis}`
}

const UP = { top: 'north', middle: '', bottom: 'south' }
const BESIDE = { left: 'west', center: '', right: 'east' }

function axisOptions(name: 'x' | 'y', axis: Axis, scale: Scale, count: number): string[] {
  const [from, to] = scale.range
  const reversed = from > to
  const ends = (reversed ? [to, from] : [from, to]).map((at) => n(valueAt(scale, at)))
  const range = [`${name}min=${ends[0]}`, `${name}max=${ends[1]}`, ...(reversed ? [`${name} dir=reverse`] : [])]
  const mode = scale.log ? [`${name}mode=log`] : []
  if (axis.visible === false) return [...mode, ...range, `${name}tick=\\empty`, `axis ${name} line=none`]
  const ticks = ticksOf(axis, scale, Math.max(2, Math.floor(count)))
  const places = ticks.map(({ at }) => n(valueAt(scale, at))).join(',')
  const names = ticks.map(({ lines }) => `{${lines.map(escaped).join(' ')}}`).join(',')
  const turned = name === 'x' && ticks.some(({ lines }) => lines.join(' ').length > 10)
  return [
    ...mode,
    ...range,
    ...(places ? [`${name}tick={${places}}`, `${name}ticklabels={${names}}`] : [`${name}tick=\\empty`]),
    ...(turned ? ['xticklabel style={rotate=40, anchor=east}'] : []),
    ...(axis.showgrid === false ? [] : [`${name}majorgrids`]),
    ...(axis.side === 'top' ? ['xticklabel pos=upper'] : []),
    ...(axis.title?.text ? [`${name}label={${tex(axis.title.text)}}`] : []),
  ]
}

/** What stands at a place of the range. */
function valueAt({ log }: Scale, at: number): number {
  return log ? 10 ** at : at
}

const MARKS: Record<MarkerSymbol, string> = {
  circle: '*',
  square: 'square*',
  diamond: 'diamond*',
  'triangle-up': 'triangle*',
}

function scatterPlot(trace: PlotlyTrace | DotsTrace, legend: boolean, { scaleX, scaleY }: Panel): string[] {
  const { line, marker, mode, opacity, showlegend, name } = trace
  const places = trace.x.map((x, i) => [placeOf(scaleX, x), placeOf(scaleY, trace.y[i] ?? null)] as const)
  const points = (each: (at: readonly [number | null, number | null], i: number) => string) =>
    places.map((at, i) => (at[0] === null || at[1] === null ? '(nan,nan)' : each(at, i))).join(' ')
  if ('fill' in trace && trace.fill === 'toself') {
    const [red, green, blue, alpha = 1] = channels(trace.fillcolor ?? trace.line.color)
    const fill = `fill={rgb,255:red,${red};green,${green};blue,${blue}}, fill opacity=${alpha}`
    return [
      `\\addplot[draw=none, ${fill}, forget plot] coordinates {${points(([x, y]) => `(${n(x)},${n(y)})`)}} -- cycle;`,
    ]
  }
  const { error_x, error_y } = trace as DotsTrace
  const bars = error_y ?? error_x
  const color = typeof marker?.color === 'string' ? marker.color : (line?.color ?? 'rgb(0, 0, 0)')
  const options = [
    colour(line?.color ?? color),
    ...(mode.includes('lines') && line ? [`line width=${n(line.width * 0.6)}pt`, dash(line.dash)] : ['only marks']),
    ...(mode.includes('markers')
      ? [
          `mark=${MARKS[marker?.symbol ?? 'circle']}`,
          `mark size=${n((marker?.size ?? 6) * 0.3)}pt`,
          'mark options={solid}',
        ]
      : ['mark=none']),
    ...((marker?.opacity ?? opacity ?? 1) < 1 ? [`opacity=${n(marker?.opacity ?? opacity)}`] : []),
    ...(bars
      ? [
          `error bars/${error_y ? 'y' : 'x'} dir=both, error bars/${error_y ? 'y' : 'x'} explicit`,
          'error bars/error bar style={solid}',
        ]
      : []),
    ...(legend && showlegend ? [] : ['forget plot']),
  ]
  if (places.every(([x, y]) => x === null || y === null)) {
    // nothing but the entry of a series that has not begun; TeX takes no plot without points
    return legend && showlegend ? [`\\addlegendimage{${options.join(', ')}}`, `\\addlegendentry{${tex(name)}}`] : []
  }
  const coordinates = points(([x, y], i) => {
    const half = bars?.array[i] ?? null
    const whisker = bars ? ` +- (${error_y ? `0,${n(half)}` : `${n(half)},0`})` : ''
    return `(${n(x)},${n(y)})${whisker}`
  })
  const texts = 'text' in trace && mode.includes('text') ? (trace.text ?? []) : []
  return [
    `\\addplot[${options.join(', ')}] coordinates {${coordinates}};`,
    ...(legend && showlegend ? [`\\addlegendentry{${tex(name)}}`] : []),
    ...texts.flatMap((text, i) => {
      const [x, y] = places[i] ?? [null, null]
      return x === null || y === null
        ? []
        : [`\\node[${colour(color)}, anchor=south east, inner sep=3pt] at (axis cs:${n(x)},${n(y)}) {${tex(text)}};`]
    }),
  ]
}

function barPlot(trace: BarTrace, { scaleX, scaleY, bar, traces }: Panel, legend: boolean): string[] {
  const bars = traces.filter((each) => each.type === 'bar')
  const grouped = trace.width === undefined
  const own = trace.width ?? bar / bars.length
  const beside = grouped ? (bars.indexOf(trace) - (bars.length - 1) / 2) * own : 0
  const lying = trace.orientation === 'h'
  const color = trace.marker.color
  const named = legend && trace.showlegend
  const plots = trace.x.flatMap((x, i) => {
    const [along, value] = lying
      ? [placeOf(scaleY, trace.y[i] ?? null), Number(x)]
      : [placeOf(scaleX, x), Number(trace.y[i])]
    if (along === null || !Number.isFinite(value)) return []
    const [low, high] = [along + beside - own / 2, along + beside + own / 2]
    const corners = [
      [low, 0],
      [low, value],
      [high, value],
      [high, 0],
    ].map(([a, b]) => (lying ? `(${n(b)},${n(a)})` : `(${n(a)},${n(b)})`))
    const [red, green, blue, alpha = 1] = channels(typeof color === 'string' ? color : (color[i] ?? 'rgb(0, 0, 0)'))
    const fill = `fill={rgb,255:red,${red};green,${green};blue,${blue}}, fill opacity=${n(alpha * (trace.opacity ?? 1))}`
    return [
      `\\addplot[draw=none, area legend, ${fill}${named && i === 0 ? '' : ', forget plot'}] coordinates {${corners.join(' ')}} -- cycle;`,
    ]
  })
  return named ? [...plots.slice(0, 1), `\\addlegendentry{${tex(trace.name)}}`, ...plots.slice(1)] : plots
}

/** A matrix by the middles of its cells; each is drawn in its colour. */
function cellPlot(trace: HeatmapTrace, { scaleX, scaleY }: Panel): string[] {
  const edges = edgesOf(trace, { x: scaleX.at, y: scaleY.at })
  const middles = (ends: number[]) => ends.slice(1).map((end, i) => (end + (ends[i] as number)) / 2)
  const [xs, ys] = [middles(edges.x), middles(edges.y)]
  const [low, high] = colourRange(trace)
  const map = trace.colorscale
    .map(([at, color]) => `rgb255(${n(at * 1000)}pt)=(${channels(color).slice(0, 3).join(',')})`)
    .join(' ')
  const rows = trace.z.map((values, row) =>
    xs.map((x, column) => `${n(x)} ${n(ys[row])} ${n(values[column] ?? null)}`).join('\n'),
  )
  const name = `mixlab${Math.abs(hash(map))}`
  return [
    `\\pgfplotsset{colormap={${name}}{${map}}}`,
    `\\addplot[matrix plot*, mesh/cols=${xs.length}, point meta=explicit, point meta min=${n(low)}, point meta max=${n(high)}, colormap name=${name}, forget plot] table[meta index=2] {\n${rows.join('\n')}\n};`,
    ...(trace.texttemplate ? cellTexts(trace, xs, ys) : []),
  ]
}

function cellTexts({ text = [], textfont }: HeatmapTrace, xs: number[], ys: number[]): string[] {
  return text.flatMap((row, i) =>
    row.flatMap((words, j) => {
      const place = `${n(xs[j])},${n(ys[i])}`
      return words
        ? [`\\node[${colour(textfont?.color ?? 'rgb(0, 0, 0)')}] at (axis cs:${place}) {${tex(words)}};`]
        : []
    }),
  )
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, 7)
}

function placeOf(scale: Scale, value: Place): number | null {
  const at = scale.at(value)
  return at === null ? null : valueAt(scale, at)
}
