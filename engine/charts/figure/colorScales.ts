import type { ColorScale, FigureStyle } from './figure.ts'
import { channelsOf } from './palette.ts'

/** Viridis, which all eyes read by its lightness, and which is read in print without colours. */
export const VIRIDIS = evenly([
  'rgb(68, 1, 84)',
  'rgb(59, 82, 139)',
  'rgb(33, 145, 140)',
  'rgb(94, 201, 98)',
  'rgb(253, 231, 37)',
])

/** Of values around 0, on any ground: red below, white, blue above. */
export const RED_BLUE = evenly(['rgb(178, 24, 43)', 'rgb(247, 247, 247)', 'rgb(33, 102, 172)'])

/**
 * For amounts: from the background through the first series colour almost to the text colour, so that it works on light
 * and dark.
 */
export function amounts({ surface, series, text }: FigureStyle): ColorScale {
  const middle = series[0] ?? text
  return [
    [0, rgb(surface)],
    [0.6, rgb(middle)],
    [1, mix(middle, text, 0.75)],
  ]
}

/** Of amounts with text on them, which stays legible. */
export function tints({ surface, series, text }: FigureStyle): ColorScale {
  return [
    [0, rgb(surface)],
    [1, mix(surface, series[0] ?? text, 0.5)],
  ]
}

/** The colour scale of worse and better values, with text on them. The ground is no colour of it: it means no value. */
export function colorScale({ surface, series, text }: FigureStyle, better: 'higher' | 'lower' = 'higher'): ColorScale {
  const ends = [0.08, 0.55].map((share) => mix(surface, series[0] ?? text, share))
  const [low = '', high = ''] = better === 'higher' ? ends : ends.reverse()
  return [
    [0, low],
    [1, high],
  ]
}

/** Of many small amounts and a few large ones: as `amounts`, by the square root. */
export function densities(style: FigureStyle): ColorScale {
  return amounts(style)
    .flatMap(([at, colour], i, all): ColorScale => {
      const next = all[i + 1]
      if (!next) return [[at, colour]]
      const inner = [0.25, 0.5, 0.75].map((share): [number, string] => [
        at + share * (next[0] - at),
        mix(colour, next[1], share),
      ])
      return [[at, colour], ...inner]
    })
    .map(([at, colour]) => [at ** 2, colour])
}

/** Of values around 0, which is the ground: the second series colour below it, the first above. */
export function signs({ surface, series, text }: FigureStyle): ColorScale {
  return [
    [0, rgb(series[1] ?? text)],
    [0.5, rgb(surface)],
    [1, rgb(series[0] ?? text)],
  ]
}

function rgb(colour: string): string {
  return `rgb(${channelsOf(colour).join(', ')})`
}

function mix(from: string, to: string, share: number): string {
  const [a, b] = [channelsOf(from), channelsOf(to)]
  return `rgb(${a.map((channel, k) => Math.round(channel * (1 - share) + (b[k] ?? 0) * share)).join(', ')})`
}

function evenly(colours: string[]): ColorScale {
  return colours.map((colour, i) => [i / (colours.length - 1), colour])
}
