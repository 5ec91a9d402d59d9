/** A polyline `x0, y0, x1, y1, ...`; a glyph stands in a box 4 wide and 6 high, y downwards. */
export type Stroke = readonly number[]

/** Names of the glyphs: the capital letters, then the digits. */
export const GLYPH_NAMES = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']

const STROKES: Record<string, Stroke[]> = {
  A: [line(0, 6, 2, 0, 4, 6), line(0.7, 4, 3.3, 4)],
  B: [
    line(0, 6, 0, 0, 2.5, 0, ...arc(2.5, 1.5, 1.3, 1.5, -90, 90), 0, 3),
    line(2.5, 3, ...arc(2.5, 4.5, 1.5, 1.5, -90, 90), 0, 6),
  ],
  C: [arc(2.2, 3, 2.2, 3, -45, -315)],
  D: [line(0, 6, 0, 0, 1.5, 0, ...arc(1.5, 3, 2.5, 3, -90, 90), 0, 6)],
  E: [line(4, 0, 0, 0, 0, 6, 4, 6), line(0, 3, 3, 3)],
  F: [line(4, 0, 0, 0, 0, 6), line(0, 3, 3, 3)],
  G: [line(...arc(2.2, 3, 2.2, 3, -45, -315), 4, 3.2, 2.4, 3.2)],
  H: [line(0, 0, 0, 6), line(4, 0, 4, 6), line(0, 3, 4, 3)],
  I: [line(2, 0, 2, 6), line(1, 0, 3, 0), line(1, 6, 3, 6)],
  J: [line(3.5, 0, 3.5, 4.2, ...arc(1.8, 4.2, 1.7, 1.8, 0, 170))],
  K: [line(0, 0, 0, 6), line(4, 0, 0, 3.5), line(1.4, 2.4, 4, 6)],
  L: [line(0, 0, 0, 6, 4, 6)],
  M: [line(0, 6, 0, 0, 2, 3.5, 4, 0, 4, 6)],
  N: [line(0, 6, 0, 0, 4, 6, 4, 0)],
  O: [arc(2, 3, 2, 3, 0, 360)],
  P: [line(0, 6, 0, 0, 2.4, 0, ...arc(2.4, 1.6, 1.6, 1.6, -90, 90), 0, 3.2)],
  Q: [arc(2, 3, 2, 3, 0, 360), line(2.2, 4, 4.2, 6.4)],
  R: [line(0, 6, 0, 0, 2.4, 0, ...arc(2.4, 1.6, 1.6, 1.6, -90, 90), 0, 3.2), line(1.8, 3.2, 4, 6)],
  S: [line(...arc(2, 1.5, 1.8, 1.5, -30, -270), ...arc(2, 4.5, 1.8, 1.5, -90, 150))],
  T: [line(0, 0, 4, 0), line(2, 0, 2, 6)],
  U: [line(0, 0, ...arc(2, 4, 2, 2, 180, 0), 4, 0)],
  V: [line(0, 0, 2, 6, 4, 0)],
  W: [line(0, 0, 1, 6, 2, 2, 3, 6, 4, 0)],
  X: [line(0, 0, 4, 6), line(4, 0, 0, 6)],
  Y: [line(0, 0, 2, 3, 4, 0), line(2, 3, 2, 6)],
  Z: [line(0, 0, 4, 0, 0, 6, 4, 6)],
  0: [arc(2, 3, 1.8, 3, 0, 360), line(3, 1.6, 1, 4.4)],
  1: [line(0.8, 1.6, 2.2, 0, 2.2, 6)],
  2: [line(...arc(2, 1.8, 1.8, 1.8, 190, 390), 0.2, 6, 4, 6)],
  3: [line(...arc(2, 1.5, 1.7, 1.5, 210, 450), ...arc(2, 4.5, 1.9, 1.5, -90, 150))],
  4: [line(3, 6, 3, 0, 0, 4.2, 4, 4.2)],
  5: [line(3.8, 0, 0.5, 0, 0.4, 2.8, ...arc(1.9, 4.1, 1.9, 1.9, -110, 140))],
  6: [line(3.2, 0, 1.2, 2, 0.3, 3.6, ...arc(2, 4.2, 1.8, 1.8, 180, 540))],
  7: [line(0, 0, 4, 0, 1.4, 6)],
  8: [arc(2, 1.5, 1.5, 1.5, 0, 360), arc(2, 4.5, 1.9, 1.5, 0, 360)],
  9: [line(0.8, 6, 2.8, 4, 3.7, 2.4, ...arc(2, 1.8, 1.8, 1.8, 0, 360))],
}

/** The strokes of the glyphs, in the order of their names. */
export const GLYPHS: Stroke[][] = GLYPH_NAMES.map((name) => STROKES[name] ?? [])

/** A polyline through points. */
function line(...points: number[]): Stroke {
  return points
}

/** Part of an ellipse around (x, y), angles in degrees, from the right towards the bottom. */
function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): Stroke {
  const steps = Math.ceil(Math.abs(to - from) / 22.5)
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / steps) * Math.PI) / 180
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)]
  }).flat()
}
