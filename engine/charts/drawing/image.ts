import { encode } from 'fast-png'
import type { ImageShape } from './drawing.ts'

/** Pixels of a cell, and of a picture at most: programs that smooth pictures leave large cells sharp. */
const CELL = 6
const MOST = 250_000

/** A PNG of the cells of a picture. */
export function pngOf({ columns, rows, rgba }: ImageShape): Uint8Array {
  const cell = columns === 1 ? 1 : Math.max(1, Math.min(CELL, Math.floor(Math.sqrt(MOST / (columns * rows)))))
  const [width, height] = [columns * cell, rows * cell]
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 4 * (Math.floor(y / cell) * columns + Math.floor(x / cell))
      data.set(rgba.subarray(from, from + 4), 4 * (y * width + x))
    }
  }
  return encode({ data, width, height, channels: 4, depth: 8 })
}

/** A PNG as an address. */
export function pngUrl(image: ImageShape): string {
  let binary = ''
  for (const byte of pngOf(image)) binary += String.fromCharCode(byte)
  return `data:image/png;base64,${btoa(binary)}`
}
