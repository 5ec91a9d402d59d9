import * as tf from '@tensorflow/tfjs'
import * as mixlab from '../../../../engine/index.ts'
import { nameOf } from '../../../../engine/notebook/closures/closures.ts'
import { createScope } from '../../../../engine/notebook/evaluate.ts'
import type { Modules } from '../../../../engine/notebook/modules.ts'

/** The names that keys have for what cells can import, and for what is in that, by its path. */
export function namesOfExports(): Record<string, string | null> {
  const modules: Modules = { mixlab, '@tensorflow/tfjs': tf }
  createScope(modules)
  const names: Record<string, string | null> = {}
  for (const [module, exported] of Object.entries(modules)) {
    for (const [path, value] of members(exported, module)) {
      names[path] = nameOf(value) ?? null
      if (typeof value === 'function') continue // what the classes of tfjs show of themselves differs by how they were compiled
      for (const [inside, each] of members(value, path)) names[inside] = nameOf(each) ?? null
    }
  }
  return names
}

/** Objects and functions that an object has; ENV says what a machine is. */
function members(whole: object, path: string): [path: string, value: object][] {
  return Object.entries(whole).flatMap(([name, value]): [string, object][] => {
    const isOther = ['default', 'module.exports', 'ENV'].includes(name)
    const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null)
    return isObject && !isOther ? [[`${path}.${name}`, value]] : []
  })
}
