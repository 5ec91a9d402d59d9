import { GLYPH_NAMES, GLYPHS } from '../../../engine/data/images/glyphs-strokes.ts'
import { type DrawingStyle, renderDrawing, type Strokes } from '../../../engine/predict/drawing.ts'
import { keyOf, uniform } from '../../../engine/random.ts'
import { idxBytes, idxLabels } from '../data/images/idx-bytes.ts'

/** The lines of a digit as they are meant, in units: 4 wide and 6 high. */
export const strokesOf = (digit: number): Strokes => GLYPHS[GLYPH_NAMES.indexOf(String(digit))] ?? []

/** The same as a hand draws them: somewhere, in some size, not straight. */
export function byHand(digit: number, name: string): number[][] {
  const key = keyOf(1, name)
  let draw = 0
  const between = (low: number, high: number) => low + (high - low) * uniform(key, draw++)
  const [left, top, size] = [between(0, 200), between(0, 200), between(5, 40)]
  return strokesOf(digit).map((stroke) =>
    stroke.map((at, i) => (i % 2 ? top : left) + size * (at + between(-0.2, 0.2))),
  )
}

/** Files like those of MNIST: digits of 20 pixels in the middle of `side`, on a ground of 0. */
export function digitFiles(side: number, count: number): Record<string, Uint8Array> {
  const hand: DrawingStyle = { ground: 0, ink: 1, length: (20 / 28) * side, thickness: side / 12, centred: 'box' }
  const files: Record<string, Uint8Array> = {}
  for (const [part, examples] of [['train', count] as const, ['t10k', Math.ceil(count / 5)] as const]) {
    const labels = Array.from({ length: examples }, (_, i) => i % 10)
    const pixels = labels.flatMap((digit, i) => {
      return [...renderDrawing(hand, byHand(digit, `${part}/${i}`), [side, side, 1]).pixels]
    })
    files[`${part}-images-idx3-ubyte`] = idxBytes([examples, side, side], pixels)
    files[`${part}-labels-idx1-ubyte`] = idxLabels(labels)
  }
  return files
}
