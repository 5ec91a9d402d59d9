import type { Annotation } from '../figure/axes.ts'
import type { AnyTrace, DotsTrace } from '../figure/figure.ts'
import { type Box, cornersOf, type Shape } from './drawing.ts'
import { fitted, plainLines, textWidth } from './letters.ts'
import type { Placed } from './marks.ts'

const LINE = 1.15 // letters

function meets(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Texts at places of a panel, those at the left of their place at most so wide. One that would lie on an earlier one is left out, as a tick would be. */
export function noteShapes(notes: Annotation[], at: Placed, font: number, most: number): Shape[] {
  const taken: Box[] = []
  return notes.flatMap((note): Shape[] => {
    const [left, top] = [at.x(note.x), at.y(note.y)]
    if (left === null || top === null) return []
    const whole = plainLines(note.text)
    const lines = note.xanchor === 'right' ? whole.map((line) => fitted(line, font, most)) : whole
    const width = Math.max(...lines.map((line) => textWidth(line, font)))
    const height = lines.length * LINE * font
    const { xanchor = 'center', yanchor = 'middle', xshift = 0, yshift = 0 } = note
    const x = left + xshift * at.pixel - (xanchor === 'left' ? 0 : xanchor === 'right' ? width : width / 2)
    const y = top - yshift * at.pixel - (yanchor === 'top' ? 0 : yanchor === 'bottom' ? height : height / 2)
    const box = { x, y, width, height }
    if (taken.some((other) => meets(box, other))) return []
    taken.push(box)
    const ground: Shape[] = note.bgcolor
      ? [{ kind: 'area', points: cornersOf(grown(box, 0.08 * font)), fill: note.bgcolor, opacity: note.opacity ?? 1 }]
      : []
    const color = note.font.color ?? 'rgb(0, 0, 0)'
    const anchor = note.align === 'left' ? 'start' : 'middle'
    const texts = lines.map((text, i): Shape => {
      const across = anchor === 'start' ? x : x + width / 2
      return { kind: 'text', text, x: across, y: y + (i * LINE + 0.9) * font, size: font, color, anchor }
    })
    return [...ground, ...texts]
  })
}

function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

/** Names beside points, each at the first place around its point that is free; the farther ones come later. */
export function pointNames(traces: AnyTrace[], at: Placed, font: number, within: Box): Shape[] {
  const named = traces.filter((trace): trace is DotsTrace => trace.type === 'scatter' && trace.mode.includes('text'))
  const points = named.flatMap((trace) =>
    trace.x.flatMap((x, i) => {
      const [left, top] = [at.x(x), at.y(trace.y[i] ?? null)]
      const text = plainLines(trace.text?.[i] ?? '').join(' ')
      return left === null || top === null || text === '' ? [] : [{ left, top, text, trace }]
    }),
  )
  const radius = 5 * at.pixel
  const taken: Box[] = points.map(({ left, top }) => around(left, top, radius))
  const lines = named.flatMap((trace) => alongLines(trace, at, radius))
  return points.flatMap(({ left, top, text, trace }): Shape[] => {
    const [width, height] = [textWidth(text, font), font]
    const boxes = [1, 2, 3.2].flatMap((away) => {
      const by = radius * away * 1.1
      return AROUND.map(([dx, dy]): Box => {
        const x = left + dx * by - (dx < 0 ? width : dx === 0 ? width / 2 : 0)
        return { x, y: top + dy * by - (dy < 0 ? height : dy === 0 ? height / 2 : 0), width, height }
      })
    })
    const room = boxes.filter((box) => isInside(box, within) && !taken.some((other) => meets(box, other)))
    const free = room.find((box) => !lines.some((other) => meets(box, other))) ?? room[0]
    if (!free) return []
    taken.push(free)
    const color = trace.textfont?.color ?? 'rgb(0, 0, 0)'
    return [{ kind: 'text', text, x: free.x, y: free.y + font * 0.85, size: font, color, anchor: 'start' }]
  })
}

function around(x: number, y: number, radius: number): Box {
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
}

function isInside(box: Box, { x, y, width, height }: Box): boolean {
  return box.x >= x && box.x + box.width <= x + width && box.y >= y && box.y + box.height <= y + height
}

/** What the line through the points and their whiskers covers, in small boxes. */
function alongLines({ x, y, error_y, mode }: DotsTrace, at: Placed, step: number): Box[] {
  const points = x.flatMap((value, i) => {
    const [left, top] = [at.x(value), at.y(y[i] ?? null)]
    return left === null || top === null ? [] : [{ left, top, half: error_y?.array[i] ?? 0, value: Number(y[i]) }]
  })
  const pairs = [
    ...(mode.includes('lines') ? points.slice(1).map((point, i) => [points[i] ?? point, point] as const) : []),
    ...points.map(({ left, half, value }) => {
      const end = (by: number) => ({ left, top: at.y(value + by) ?? 0 })
      return [end(-half), end(half)] as const
    }),
  ]
  return pairs.flatMap(([from, to]) => {
    const count = Math.min(200, Math.ceil(Math.hypot(to.left - from.left, to.top - from.top) / step))
    return Array.from({ length: count }, (_, i) => {
      const share = i / count
      return around(from.left + (to.left - from.left) * share, from.top + (to.top - from.top) * share, step / 4)
    })
  })
}

/** Up and to the left first. */
const AROUND: [number, number][] = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
]
