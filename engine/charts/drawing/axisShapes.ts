import type { Axis } from '../figure/axes.ts'
import type { Box, Shape } from './drawing.ts'
import { fitted, plainLines, textWidth } from './letters.ts'
import type { Scale, Tick } from './scale.ts'

const LINE = 1.15 // letters
const TURN = 40 // degrees

/** The ticks of an x axis as there is room for them. */
export interface XTicks {
  ticks: Tick[]
  turned: boolean
  /** Of all that stands there, from the panel on. */
  height: number
}

/** Ticks that do not lie on each other: of numbers fewer, of names all, turned where they are too long. */
export function xTicksOf(ticks: Tick[], axis: Axis, scale: Scale, width: number, font: number): XTicks {
  if (ticks.length === 0) return { ticks, turned: false, height: 0 }
  const place = placeOf(scale, 0, width)
  const widthOf = (tick: Tick) => Math.max(...tick.lines.map((line) => textWidth(line, font)))
  const free = (shown: Tick[]) => {
    const sorted = shown.toSorted((a, b) => place(a.at) - place(b.at))
    return sorted.every((tick, i) => {
      const next = sorted[i + 1]
      return !next || place(next.at) - place(tick.at) > (widthOf(tick) + widthOf(next)) / 2 + font * 0.5
    })
  }
  const lines = Math.max(...ticks.map((tick) => tick.lines.length))
  const flat = (shown: Tick[]): XTicks => ({ ticks: shown, turned: false, height: font * (0.5 + LINE * lines) })
  if (free(ticks)) return flat(ticks)
  const named = scale.categories !== null || axis.ticktext?.some((text) => !Number.isFinite(Number.parseFloat(text)))
  if (named && width / ticks.length > font * 1.1) {
    const short = ticks.map(({ at, lines }) => ({ at, lines: [fitted(lines.join(' '), font, font * 9)] }))
    const longest = Math.max(...short.map(widthOf))
    const angle = (TURN * Math.PI) / 180
    return { ticks: short, turned: true, height: font * 0.6 + longest * Math.sin(angle) + font * Math.cos(angle) }
  }
  if (axis.tickvals && !areEven(ticks)) {
    // the values of a study, as depths are: the last one is among those that are named
    const kept: Tick[] = []
    for (const tick of ticks.toReversed()) if (free([...kept, tick])) kept.push(tick)
    return flat(kept.reverse())
  }
  for (let every = 2; every < ticks.length; every++) {
    const fewer = ticks.filter((_, i) => i % every === 0)
    if (free(fewer)) return flat(fewer)
  }
  return flat(ticks.slice(0, 1))
}

/** Whether ticks are as far from each other, all of them. */
function areEven(ticks: readonly Tick[]): boolean {
  const gaps = ticks.slice(1).map(({ at }, i) => at - (ticks[i] as Tick).at)
  return gaps.every((gap) => Math.abs(gap - (gaps[0] as number)) <= 1e-6 * Math.abs(gap))
}

/** A function from the unit of a scale to a place between two. */
export function placeOf({ range: [low, high] }: Scale, from: number, to: number): (at: number) => number {
  return (at) => from + ((at - low) / (high - low)) * (to - from)
}

interface AxisLook {
  box: Box
  font: number
  pixel: number
  text: string
}

/** Grid, ticks and title of an x axis. */
export function xAxisShapes(axis: Axis, scale: Scale, { ticks, turned, height }: XTicks, look: AxisLook): Shape[] {
  if (axis.visible === false) return []
  const { box, font, pixel } = look
  const place = placeOf(scale, box.x, box.x + box.width)
  const top = axis.side === 'top'
  const color = axis.tickfont?.color ?? look.text
  const bottom = box.y + box.height
  const grid =
    axis.showgrid === false
      ? []
      : ticks.map(
          ({ at }): Shape => ({
            kind: 'line',
            points: [
              [place(at), box.y],
              [place(at), bottom],
            ],
            stroke: { color: axis.gridcolor ?? color, width: 0.8 * pixel },
          }),
        )
  const texts = ticks.flatMap(({ at, lines }) =>
    lines.map((text, i): Shape => {
      const x = place(at)
      if (turned) {
        return top
          ? {
              kind: 'text',
              text,
              x: x + font * 0.2,
              y: box.y - font * 0.4,
              size: font,
              color,
              anchor: 'start',
              turned: TURN,
            }
          : {
              kind: 'text',
              text,
              x: x + font * 0.3,
              y: bottom + font * 1.1,
              size: font,
              color,
              anchor: 'end',
              turned: TURN,
            }
      }
      const y = top ? box.y - font * (0.4 + LINE * (lines.length - 1 - i)) : bottom + font * (1.1 + LINE * i)
      return { kind: 'text', text, x, y, size: font, color, anchor: 'middle' }
    }),
  )
  const title = titleOf(axis)
  if (!title) return [...grid, ...texts]
  const below: Shape = {
    kind: 'text',
    text: fitted(title, font, box.width + 2 * font),
    x: box.x + box.width / 2,
    y: top ? box.y - height - font * 0.4 : bottom + height + font * 1.1,
    size: font,
    color: axis.title?.font?.color ?? color,
    anchor: 'middle',
  }
  return [...grid, ...texts, below]
}

/** Grid, ticks and title of a y axis, its title so far to the left. */
export function yAxisShapes(axis: Axis, scale: Scale, ticks: Tick[], titleAt: number, look: AxisLook): Shape[] {
  if (axis.visible === false) return []
  const { box, font, pixel } = look
  const place = placeOf(scale, box.y + box.height, box.y)
  const color = axis.tickfont?.color ?? look.text
  const right = box.x + box.width
  const grid =
    axis.showgrid === false
      ? []
      : ticks.map(
          ({ at }): Shape => ({
            kind: 'line',
            points: [
              [box.x, place(at)],
              [right, place(at)],
            ],
            stroke: { color: axis.gridcolor ?? color, width: 0.8 * pixel },
          }),
        )
  const texts = ticks.flatMap(({ at, lines }) =>
    lines.map((text, i): Shape => {
      const y = place(at) + font * (0.36 + LINE * (i - (lines.length - 1) / 2))
      return { kind: 'text', text, x: box.x - font * 0.5, y, size: font, color, anchor: 'end' }
    }),
  )
  const title = titleOf(axis)
  if (!title) return [...grid, ...texts]
  const beside: Shape = {
    kind: 'text',
    text: fitted(title, font, box.height + 2 * font),
    x: titleAt,
    y: box.y + box.height / 2,
    size: font,
    color: axis.title?.font?.color ?? color,
    anchor: 'middle',
    turned: 90,
  }
  return [...grid, ...texts, beside]
}

export function titleOf(axis: Axis): string {
  return axis.visible === false ? '' : plainLines(axis.title?.text ?? '').join(' ')
}
