import type { Dash, FigureStyle, MarkerSymbol } from './figure.ts'

const DASHES: Dash[] = ['solid', 'dash', 'dot', 'dashdot']
const SYMBOLS: MarkerSymbol[] = ['circle', 'square', 'diamond', 'triangle-up']

/** Colour, dash and symbol of a variant. */
export interface Look {
  color: string
  dash: Dash
  symbol: MarkerSymbol
}

/** The look of the variant at `index`: colours first; where they begin again, or in print from the first on, with other dashes and symbols. */
export function lookOf(index: number, style: FigureStyle): Look {
  const round = style.distinct ? index : Math.floor(index / style.series.length)
  return {
    color: style.series[index % style.series.length] ?? style.text,
    dash: DASHES[round % DASHES.length] ?? 'solid',
    symbol: SYMBOLS[round % SYMBOLS.length] ?? 'circle',
  }
}

/** `rgb(r, g, b)` with an opacity. */
export function withAlpha(colour: string, alpha: number): string {
  return `rgba(${channelsOf(colour).join(', ')}, ${alpha})`
}

/** `count` colours from the first series colour through grey to the second, which all eyes tell apart on any ground. */
export function ramp(count: number, style: FigureStyle): string[] {
  const ends = [style.series[0] ?? style.text, style.muted, style.series[1] ?? style.text].map(channelsOf)
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? 1 : i / (count - 1)
    const [from, to, share] = at < 0.5 ? [ends[0], ends[1], at * 2] : [ends[1], ends[2], at * 2 - 1]
    const mixed = [0, 1, 2].map((k) => Math.round((from?.[k] ?? 0) * (1 - share) + (to?.[k] ?? 0) * share))
    return `rgb(${mixed.join(', ')})`
  })
}

/** Red, green and blue of `rgb(r, g, b)`. */
export function channelsOf(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? ['0', '0', '0']).slice(0, 3).map(Number)
}
