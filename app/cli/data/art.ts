import { rgbOf, seenFrom } from '../../../engine/datacard/drawing.ts'
import { bytesOf } from '../../../engine/datacard/parts.ts'
import type { PartOf } from '../../../engine/datacard/schema.ts'

/** Dots across and down of a picture: 16 characters wide and 8 lines high. */
const DOTS = 32

/** Whether there is a dot, by column and row. */
type Dots = (x: number, y: number) => boolean

/** Dots as lines of Braille, two across and four down in a character. */
function braille(width: number, height: number, dot: Dots): string[] {
  const bits = [
    [0x01, 0x08],
    [0x02, 0x10],
    [0x04, 0x20],
    [0x40, 0x80],
  ]
  const at = (left: number, top: number) =>
    bits.flatMap((row, y) => row.map((bit, x) => (dot(left + x, top + y) ? bit : 0))).reduce((sum, bit) => sum + bit, 0)
  return Array.from({ length: Math.ceil(height / 4) }, (_, row) =>
    Array.from({ length: Math.ceil(width / 2) }, (_, column) =>
      String.fromCharCode(0x2800 + at(2 * column, 4 * row)),
    ).join(''),
  )
}

/** A picture in dots for what is light, its greys by how dense they are. */
export function pictureArt(part: PartOf<'image'>): string[] {
  const { width, height } = part
  const rgb = rgbOf(part)
  const scale = Math.max(1, Math.max(width, height) / DOTS)
  const [columns, rows] = [Math.floor(width / scale), Math.floor(height / scale)]
  const greys = Float32Array.from({ length: columns * rows }, (_, i) => {
    const from = Math.floor(Math.floor(i / columns) * scale) * width + Math.floor((i % columns) * scale)
    return ((rgb[3 * from] ?? 0) + (rgb[3 * from + 1] ?? 0) + (rgb[3 * from + 2] ?? 0)) / 3
  })
  const [low, high] = greys.reduce(([a, b], grey) => [Math.min(a, grey), Math.max(b, grey)], [255, 0])
  const lit = new Set<number>()
  for (let i = 0; i < greys.length; i++) {
    const grey = ((greys[i] as number) - low) / (high - low || 1)
    const isLit = grey >= 0.5
    if (isLit) lit.add(i)
    spread(greys, i, columns, (isLit ? grey - 1 : grey) * (high - low || 1))
  }
  return braille(columns, rows, (x, y) => x < columns && lit.has(y * columns + x))
}

/** Gives what a dot has too much or too little of light to its neighbours (Floyd and Steinberg 1976). */
function spread(greys: Float32Array, i: number, columns: number, rest: number): void {
  const column = i % columns
  const add = (at: number, share: number) => {
    if (at < greys.length) greys[at] = (greys[at] as number) + rest * share
  }
  if (column + 1 < columns) add(i + 1, 7 / 16)
  if (column > 0) add(i + columns - 1, 3 / 16)
  add(i + columns, 5 / 16)
  if (column + 1 < columns) add(i + columns + 1, 1 / 16)
}

/** A cloud as it is seen from a little above. */
export function cloudArt(part: PartOf<'points'>): string[] {
  const dots = new Set(seenFrom(part, 30, 20).map(({ x, y }) => place(y) * DOTS + place(x)))
  return braille(DOTS, DOTS, (x, y) => dots.has(y * DOTS + x))
}

const place = (at: number) => Math.max(0, Math.min(DOTS - 1, Math.round(((1 + at) / 2) * (DOTS - 1))))

/** Signs of classes in masks: the first, mostly the ground, is a dot. */
const SIGNS = '·123456789abcdefghijklmnopqrstuvwxyz'

/** A mask with a sign for each class, and what the signs stand for. */
export function maskArt(part: PartOf<'mask'>): string[] {
  const labels = bytesOf(part)
  const [columns, rows] = [Math.min(part.width, 24), Math.min(part.height, 12)]
  const at = (row: number, column: number) =>
    labels[Math.floor((row * part.height) / rows) * part.width + Math.floor((column * part.width) / columns)] ?? 0
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => SIGNS[at(row, column)] ?? '?').join(''),
  )
  const there = [...new Set(labels)].sort((a, b) => a - b)
  return [...lines, ...there.map((label) => `${SIGNS[label] ?? '?'} ${part.classes[label] ?? label}`)]
}

/** Dots across and down of a series. */
const [ACROSS, DOWN] = [120, 16]

/** The first channel of a series; what is forecast stands behind a bar. */
export function seriesArt({ channels, from }: PartOf<'series'>): string[] {
  const values = channels[0] ?? []
  const [low, high] = values.reduce(([a, b], each) => [Math.min(a, each), Math.max(b, each)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  const row = (x: number) => {
    const value = values[Math.floor((x * values.length) / ACROSS)] ?? low
    return DOWN - 1 - Math.round(((value - low) / (high - low || 1)) * (DOWN - 1))
  }
  const lines = braille(ACROSS, DOWN, (x, y) => row(x) === y)
  if (from === null) return lines
  const bar = Math.floor((from * ACROSS) / values.length / 2)
  return lines.map((line) => `${line.slice(0, bar)}│${line.slice(bar)}`)
}
