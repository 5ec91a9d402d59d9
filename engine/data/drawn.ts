import { discs } from './fields/discs.ts'
import { glyphs } from './images/glyphs.ts'
import { shapes } from './images/shapes.ts'
import { textures } from './images/textures.ts'
import type { Example } from './own/example.ts'
import { solids } from './points/solids.ts'
import { scenes } from './scenes/scenes.ts'
import { seasons } from './series/seasons.ts'
import type { DrawnFrom } from './types.ts'

/** The generated data sets whose examples another thread makes; what is missing here is made by the thread that trains. */
const sets = [discs, glyphs, shapes, textures, solids, scenes, seasons]

let last: { key: string; make: (index: number) => Example } | null = null // a data set is described once

/** Makes examples of a generated data set. Throws where `from` names none. */
export function examplesFrom(from: DrawnFrom, indices: readonly number[]): Example[] {
  const key = JSON.stringify(from)
  if (last?.key !== key) {
    const set = sets.find(({ kind }) => kind.name === from.dataset)
    if (!set) throw new Error(`no generated data set '${from.dataset}'`)
    last = { key, make: set.examplesOf(from.options, from.part) }
  }
  return indices.map(last.make)
}
