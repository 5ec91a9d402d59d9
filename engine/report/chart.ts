import { type Axis, type AxisOptions, reportAxis } from './axis.ts'
import { type Html, html, raw } from './html.ts'
import { SERIES } from './style.ts'

/** Lines, dots or bars over two axes. */
export interface ReportChart {
  label: string
  xLabel: string
  yLabel: string
  mark: 'line' | 'scatter' | 'bar'
  series: ChartSeries[]
  /** Names of the whole numbers on the x axis; null where it has numbers. */
  categories: string[] | null
  /** Of the values. */
  bounds?: AxisOptions['bounds']
}

export interface ChartSeries {
  name: string
  x: number[]
  y: (number | null)[]
  /** Half the height of the band around a line; left out for none. */
  spread?: number[]
}

const WIDTH = 760
const HEIGHT = 300
const LEFT = 62
const RIGHT = WIDTH - 12
const TOP = 10
const BOTTOM = HEIGHT - 44

/** A chart as SVG with a legend; the script of the page reads values under the pointer from its data. */
export function chartHtml(chart: ReportChart): Html {
  const { label, xLabel, yLabel, mark, series, categories, bounds } = chart
  const bars = mark === 'bar'
  const xs = series.flatMap(({ x }) => x)
  const x = reportAxis(bars ? xs.flatMap((value) => [value - 0.5, value + 0.5]) : xs, LEFT, RIGHT)
  const ys = series.flatMap(({ y, spread }) =>
    y.flatMap((value, i) => (value === null ? [] : [value - (spread?.[i] ?? 0), value + (spread?.[i] ?? 0)])),
  )
  const y = reportAxis(ys, BOTTOM, TOP, { zero: bars, bounds })
  const drawn = series.map((each, index) => {
    const body = bars ? barMarks(each, index, series.length, x, y) : pointMarks(each, mark, x, y)
    return html`<g data-series="${index}" style="--c: ${colourOf(index)}">${body}</g>`
  })
  return html`<figure class="chart" data-chart>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${gridOf(x, y, categories)}<text class="axis" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 6}">${xLabel}</text>
<text class="axis" transform="translate(14 ${(TOP + BOTTOM) / 2}) rotate(-90)">${yLabel}</text>
${drawn}<path class="cursor" d=""/></svg>
${series.length > 1 ? legend(series) : null}<output class="reading" aria-live="off"></output>
<script type="application/json">${raw(dataOf(series, x, categories))}</script>
</figure>`
}

export function colourOf(index: number): string {
  return `var(--series-${(index % SERIES) + 1})`
}

function gridOf(x: Axis, y: Axis, categories: string[] | null): Html[] {
  const named = categories?.map((text, value) => ({ value, text: text.slice(0, 14) })) ?? []
  const every = Math.ceil(named.length / 12)
  const ticks = categories ? named.filter(({ value }) => value % every === 0) : x.ticks
  return [
    ...y.ticks.map(({ value, text }) => {
      const at = round(y.place(value))
      return html`<path class="grid" d="M${LEFT} ${at}H${RIGHT}"/><text class="y tick" x="${LEFT - 6}" y="${at + 4}">${text}</text>`
    }),
    ...ticks.map(
      ({ value, text }) => html`<text class="tick" x="${round(x.place(value))}" y="${BOTTOM + 16}">${text}</text>`,
    ),
  ]
}

function pointMarks({ x: xs, y: ys, spread }: ChartSeries, mark: ReportChart['mark'], x: Axis, y: Axis): Html {
  const points = xs.flatMap((value, i) => {
    const height = ys[i] ?? null
    return height === null ? [] : [{ at: round(x.place(value)), height, half: spread?.[i] ?? 0 }]
  })
  if (mark === 'scatter' || points.length === 1) {
    return html`${points.map(({ at, height }) => html`<circle cx="${at}" cy="${round(y.place(height))}" r="3"/>`)}`
  }
  const edge = (sign: number) => points.map(({ at, height, half }) => `${at} ${round(y.place(height + sign * half))}`)
  const band = spread ? html`<path class="band" d="M${[...edge(1), ...edge(-1).reverse()].join('L')}Z"/>` : null
  return html`${points.length ? band : null}<path class="line" d="${points.length ? `M${edge(0).join('L')}` : ''}"/>`
}

function barMarks({ x: xs, y: ys }: ChartSeries, index: number, count: number, x: Axis, y: Axis): Html {
  const width = (x.place(1) - x.place(0)) * (0.8 / count)
  const zero = y.place(0)
  return html`${xs.map((value, i) => {
    const top = y.place(ys[i] ?? 0)
    const left = round(x.place(value) + width * (index - count / 2))
    return html`<rect x="${left}" y="${round(Math.min(top, zero))}" width="${round(width)}" height="${round(Math.abs(top - zero))}"/>`
  })}`
}

function legend(series: ChartSeries[]): Html {
  return html`<div class="legend">${series.map(
    ({ name }, index) =>
      html`<label style="--c: ${colourOf(index)}"><input type="checkbox" checked data-toggle="${index}"><i></i>${name}</label>`,
  )}</div>`
}

/** The points for the script: places on the x axis, and the values there as text. */
function dataOf(series: ChartSeries[], x: Axis, categories: string[] | null): string {
  const all = series.map((each) => ({
    name: each.name,
    points: each.x.map((value, i) => [
      round(x.place(value)),
      categories?.[value] ?? String(Number(value.toPrecision(6))),
      valueText(each.y[i] ?? null, each.spread?.[i]),
    ]),
  }))
  return JSON.stringify(all).replaceAll('<', '\\u003c')
}

function valueText(value: number | null, spread: number | undefined): string {
  if (value === null) return '–'
  return Number(value.toPrecision(5)) + (spread ? ` ± ${Number(spread.toPrecision(2))}` : '')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
