import * as tf from '@tensorflow/tfjs'
import * as mixlab from '../engine/index.ts'
import { type Modules, TFJS } from '../engine/notebook/modules.ts'

/** The exports of tfjs as Node has them, by name and again as `default`, which bundlers leave out. */
function tfjsOf({ default: _, 'module.exports': __, ...named }: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(named).sort()
  const sorted = Object.fromEntries(names.map((name) => [name, named[name]]))
  return { ...sorted, default: sorted }
}

/** What cells can import in Node. */
export const modules: Modules = { mixlab, [TFJS]: tfjsOf(tf) }
