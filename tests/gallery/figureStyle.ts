import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'

const TOKENS = readFileSync(join(import.meta.dirname, '../../renderer/tokens.css'), 'utf8')

/** What figureStyle of renderer/charts/style.ts gives in a page, read from the tokens. */
export function figureStyle(dark: boolean): FigureStyle {
  return {
    series: [1, 2, 3, 4, 5, 6, 7].map((index) => colour(`series-${index}`, dark)),
    text: colour('text', dark),
    muted: colour('muted', dark),
    grid: colour('border', dark),
    surface: colour('surface', dark),
    font: 'system-ui, sans-serif',
  }
}

/** `rgb(r, g, b)`, as a browser writes it. */
function colour(token: string, dark: boolean): string {
  const [, light, night] = new RegExp(`--${token}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(TOKENS) ?? []
  const hex = Number.parseInt((dark ? night : light) ?? '', 16)
  if (Number.isNaN(hex)) throw new Error(`tokens.css has no colour --${token}`)
  return `rgb(${hex >> 16}, ${(hex >> 8) & 255}, ${hex & 255})`
}
