import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { flattened } from './layers/tokenGrid.ts'
import type { Frame, Head, OwnEnds, Size, Stem, TextPool } from './types.ts'

/** A frame with a stem and a head in place of its own. */
export function framed({ stem, head }: OwnEnds, frame: Frame): Frame {
  return { ...frame, ...(stem && stemOf(stem)), ...(head && headsOf(head)) }
}

function stemOf({ stemName, run }: Stem): Pick<Frame, 'stem'> {
  return {
    stem: (input, size, inputs, extras) => {
      const x = run(input, size, inputs, extras)
      if ((x?.rank === 3 || x?.rank === 4) && x.shape.at(-1) === size.dim) return flattened(x)
      const takes = `[batch, tokens, ${size.dim}] or [batch, rows, columns, ${size.dim}]`
      throw new MixlabError('option', `stem '${stemName}'`, `returned ${shown(x)}, but the blocks take ${takes}`)
    },
  }
}

/** All heads of a frame: what a task asks for decides the shape. */
function headsOf({ headName, run }: Head): Pick<Frame, 'head' | 'classHead' | 'spanHead'> {
  const checked = (x: Tensor, size: Size, outputs: number, ofTokens: boolean, pool?: TextPool): Tensor => {
    const y = run(x, size, outputs, pool)
    const wanted = [...x.shape.slice(0, ofTokens ? 2 : 1), outputs]
    if (y?.shape?.join() === wanted.join()) return y
    throw new MixlabError('option', `head '${headName}'`, `returned ${shown(y)}, but the task takes [${wanted}]`)
  }
  return {
    head: (x, size, outputs) => checked(x, size, outputs, size.modality === 'text'),
    classHead: (x, size, classes, pool) => checked(x, size, classes, false, pool),
    spanHead: (x, size) => checked(x, size, 2, true),
  }
}

function shown(x: Tensor | undefined): string {
  return x?.shape ? `[${x.shape}]` : 'no tensor'
}
