import type { Point } from './arrange.ts'
import type { Box, Line, Picture } from './layout.ts'

/** Colours of a drawing, as CSS has them. */
export interface DiagramColours {
  page: string
  box: string
  /** Of boxes inside of boxes, every other one. */
  inner: string
  border: string
  text: string
  muted: string
  /** Shares of the whole. */
  share: string
  added: string
  removed: string
  changed: string
}

/** By day and by night. */
export const COLOURS: Record<'light' | 'dark', DiagramColours> = {
  light: {
    ...{ page: '#ffffff', box: '#ffffff', inner: '#f3f3f0', border: '#8a8f96', text: '#1e2227', muted: '#5a636d' },
    ...{ share: '#2458a6', added: '#1d6f4a', removed: '#b3261e', changed: '#865200' },
  },
  dark: {
    ...{ page: '#1a1d21', box: '#1a1d21', inner: '#24282e', border: '#6d7580', text: '#e3e6ea', muted: '#9ba5b0' },
    ...{ share: '#8fb8f6', added: '#6fcf9f', removed: '#f2938c', changed: '#e8b45e' },
  },
}

/** What the mark of a box is called in it: nothing is told by colour alone. */
export const MARK_SIGNS = { added: '+', removed: '−', changed: '~' } as const

/** A picture as SVG, whose text is text. `share` gives what part of the model a box stands for, from 0 to 1. */
export function svgOf(
  { width, height, boxes, lines, ports }: Picture,
  share: (box: Box) => number,
  title: string,
  colours: DiagramColours,
): string {
  const parts = [
    `<title>${escaped(title)}</title>`,
    `<style>${styleOf(colours)}</style>`,
    `<rect class="page" width="${round(width)}" height="${round(height)}"/>`,
    ...boxes.map((box) => boxSvg(box, share(box))),
    ...lines.map(lineSvg),
    ...ports.map(([x, y]) => `<circle class="port" cx="${round(x)}" cy="${round(y)}" r="3"/>`),
  ]
  const size = `width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${parts.join('\n')}\n</svg>\n`
}

const styleOf = (colours: DiagramColours) => `text{font:12px system-ui,sans-serif;fill:${colours.muted}}
.page{fill:${colours.page}}.box{fill:${colours.box};stroke:${colours.border}}.odd{fill:${colours.inner}}
.name{fill:${colours.text};font-weight:600}.share{fill:${colours.share}}.port{fill:${colours.border}}
.line{fill:none;stroke:${colours.border};stroke-width:1.2}.tip{fill:${colours.border}}
.added .box{stroke:${colours.added};stroke-width:2}.removed .box{stroke:${colours.removed};stroke-width:2;stroke-dasharray:5 3}
.changed .box{stroke:${colours.changed};stroke-width:2}.added.line{stroke:${colours.added}}.removed.line{stroke:${colours.removed};stroke-dasharray:5 3}
.added .name{fill:${colours.added}}.removed .name{fill:${colours.removed}}.changed .name{fill:${colours.changed}}`

function boxSvg(box: Box, share: number): string {
  const { node, x, y, width, height, depth } = box
  const rect = `<rect class="box${depth % 2 ? ' odd' : ''}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="5"/>`
  const bar = share > 0 ? `<rect class="share" ${barOf(box, share)}/>` : ''
  const text = textOf(box).map(
    ({ text, y, isName }) =>
      `<text${isName ? ' class="name"' : ''} x="${round(x + 10)}" y="${round(y)}">${escaped(text)}</text>`,
  )
  return `<g${node.mark ? ` class="${node.mark}"` : ''}>${rect}${bar}${text.join('')}</g>`
}

/** Where the bar of a share is: along the left border of what is written. */
function barOf(box: Box, share: number): string {
  const { x, y, width, height } = shareBar(box, share)
  return `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`
}

/** The bar below the name of a box whose length is a share of the whole. */
export function shareBar({ x, y, width, lines }: Box, share: number) {
  return { x: x + 10, y: y + 10 + 16 * lines.length - 3, width: Math.max(1, share * (width - 20)), height: 2 }
}

/** The lines of text of a box, with the base line of each. */
export function textOf({ lines, y, node, open }: Box): { text: string; y: number; isName: boolean }[] {
  const sign = node.mark ? `${MARK_SIGNS[node.mark]} ` : ''
  const fold = node.children.length > 0 ? (open ? '▾ ' : '▸ ') : ''
  return lines.map((text, i) => ({ text: i === 0 ? sign + fold + text : text, y: y + 18 + 16 * i, isName: i === 0 }))
}

function lineSvg({ points, mark }: Line): string {
  return `<path class="line${mark ? ` ${mark}` : ''}" d="${pathOf(points)}"/><path class="tip" d="${tipOf(points)}"/>`
}

/** A line through points with round corners. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  const steps = rest.map((point, i) => {
    const next = rest[i + 1]
    if (!next) return `L${at(point)}`
    const before = i === 0 ? first : (rest[i - 1] as Point)
    return `L${at(towards(point, before))}Q${at(point)} ${at(towards(point, next))}`
  })
  return `M${at(first)}${steps.join('')}`
}

/** The tip of an arrow at the end of a line. */
export function tipOf(points: readonly Point[]): string {
  const [x, y] = points.at(-1) ?? [0, 0]
  return `M${at([x, y])}l-3.5 -7h7z`
}

const CORNER = 8

/** A point on the way to another one, as far as a corner is round. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.hypot(toX - x, toY - y)
  const share = length === 0 ? 0 : Math.min(CORNER, length / 2) / length
  return [x + (toX - x) * share, y + (toY - y) * share]
}

const at = ([x, y]: Point) => `${round(x)} ${round(y)}`
const round = (value: number) => Math.round(value * 10) / 10

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
