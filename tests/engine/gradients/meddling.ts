import * as tf from '@tensorflow/tfjs-core'
import { copyOf } from '../../../engine/options.ts'

type Call = (...given: unknown[]) => unknown

/** Whether functions are called by code that afterwards changes every list that it gave or got. */
export const meddling = { on: false }

/** A function that is called so: the caller has copies of what it gave and got. */
export function meddled<Given extends unknown[], Result>(call: (...given: Given) => Result): (...given: Given) => Result
export function meddled(call: Call): Call {
  return Object.defineProperty(
    (...given: unknown[]) => {
      if (!meddling.on) return call(...given)
      const lent = given.map(copyOf)
      const result = call(...lent)
      const own = copyOf(result)
      for (const each of [...lent, ...(result instanceof tf.Tensor ? [] : [result]), ...tensorsIn(result).map(shapeOf)])
        spoil(each)
      return own
    },
    'name',
    { value: call.name },
  )
}

const shapeOf = ({ shape }: tf.Tensor) => shape

function tensorsIn(value: unknown): tf.Tensor[] {
  if (value instanceof tf.Tensor) return [value]
  return Array.isArray(value) ? value.flatMap(tensorsIn) : []
}

/** Changes lists in each way; shapes refuse it. */
function spoil(value: unknown): void {
  try {
    if (ArrayBuffer.isView(value)) (value as Float32Array).fill(7)
    else if (Array.isArray(value)) {
      const inside = [...value]
      value.reverse()
      value.push(value.pop())
      value[0] = 7
      value.length = 0
      for (const each of inside) spoil(each)
    } else if (value instanceof tf.Tensor) spoil(value.shape)
    else if (isPlain(value)) for (const name of Object.keys(value)) delete value[name]
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

const SPACES = ['fused', 'image', 'linalg', 'losses', 'math', 'signal', 'sparse', 'spectral']
/** What takes code, or is no operation. */
const MACHINERY =
  /^(backend|customGrad|dispose|engine|env|getBackend|getKernel|grad|input|keep|memory|op$|profile|ready|register|setBackend|setPlatform|tidy|time|unregister|valueAndGrad|variable)/

/** The exports of tfjs, with its operations called so. */
export function meddledModule(module: object): object {
  const entries = Object.entries(module).map(([name, value]): [string, unknown] => {
    if (SPACES.includes(name)) return [name, meddledModule(value)]
    const isOperation = typeof value === 'function' && /^[a-z]/.test(name) && !MACHINERY.test(name)
    return [name, isOperation ? meddled(value as Call) : value]
  })
  return Object.fromEntries(entries)
}
