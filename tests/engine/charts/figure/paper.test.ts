import { expect, it } from 'vitest'
import { lookOf } from '../../../../engine/charts/figure/palette.ts'
import { COLUMN, paperStyle } from '../../../../engine/charts/figure/paper.ts'

/** What an eye without one kind of cones sees, in linear light: Machado, Oliveira and Fernandes (2009), severity 1. */
const VISIONS = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}

/** OKLab (Ottosson 2020) of a colour as such an eye sees it. */
function seen(colour: string, m: number[]): number[] {
  const linear = (colour.match(/\d+/g) ?? []).map((channel) => {
    const share = Number(channel) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const times = (rows: number[], by: number[]) =>
    [0, 3, 6].map((row) => [0, 1, 2].reduce((sum, k) => sum + (rows[row + k] ?? 0) * (by[k] ?? 0), 0))
  const rgb = times(m, linear).map((channel) => Math.min(1, Math.max(0, channel)))
  const cones = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
      0.6299787005,
    ],
    rgb,
  )
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662,
      -0.808675766,
    ],
    cones.map(Math.cbrt),
  )
}

const apart = (a: number[], b: number[]) => Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)))

it.each(Object.entries(VISIONS))('no two colours of a paper come close, and all stand out from it: %s', (_, vision) => {
  const { series } = paperStyle(COLUMN)
  const colours = series.map((colour) => seen(colour, vision))
  const pairs = colours.flatMap((a, i) => colours.slice(i + 1).map((b) => apart(a, b)))
  expect(Math.min(...pairs)).toBeGreaterThan(0.1) // a just noticeable difference is about 0.02
  const white = seen('rgb(255, 255, 255)', vision)
  expect(Math.min(...colours.map((colour) => apart(colour, white)))).toBeGreaterThan(0.25)
})

it('no two of the first 28 series look the same, and neighbours differ in dashes and symbols too', () => {
  const looks = Array.from({ length: 28 }, (_, i) => lookOf(i, paperStyle(COLUMN)))
  expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(28)
  looks.slice(1).forEach((look, i) => {
    expect(look.dash).not.toBe(looks[i]?.dash)
    expect(look.symbol).not.toBe(looks[i]?.symbol)
  })
})
