import type { Fail } from '../../errors.ts'
import type { Field } from '../types.ts'

/** A value of an example: a number, a text, or numbers in lists of lists, or one behind the other in a typed array. */
export type ExampleValue = number | string | ArrayLike<number> | readonly ExampleValue[]

/** What `make` gives: values by name, e.g. `{ image, label }`. */
export type Example = Record<string, ExampleValue>

/** Fields whose numbers are whole. */
const WHOLE = ['label', 'tokens']

/** What a value is, as the first example has it; `shape` is that of a typed array. */
export function fieldOf(name: string, value: unknown, shape: readonly number[] | undefined, fail: Fail): Field {
  if (typeof value === 'string') return { dtype: 'text', shape: [] }
  const own = shapeOf(value)
  if (!own) throw fail(`${name} is ${what(value)}, expected a number, a text, lists of numbers or a typed array`)
  if (shape && sizeOf(shape) !== sizeOf(own)) {
    throw fail(`${name} is [${own.join(', ')}], expected as many numbers as the shape [${shape.join(', ')}] has`)
  }
  const isWhole = WHOLE.includes(name) || (isIntegers(value) && scaleOf(name, value) === 1)
  return { dtype: isWhole ? 'int32' : 'float32', shape: [...(shape ?? own)] }
}

/** Writes a value at `at` of all values of its field. Throws where it is of another shape, or not finite. */
export function writeValue(
  value: unknown,
  field: Field & { name: string },
  into: Float32Array | Int32Array | string[],
  at: number,
  fail: Fail,
): void {
  const { name, dtype, shape } = field
  if (Array.isArray(into)) {
    if (typeof value !== 'string') throw fail(`${name} is ${what(value)}, expected a text as in the first example`)
    into[at] = value
    return
  }
  const own = shapeOf(value)
  const flat = ArrayBuffer.isView(value)
  const fits = own && (flat ? sizeOf(own) === sizeOf(shape) : own.join() === shape.join())
  if (!fits) {
    throw fail(
      `${name} is ${own ? `[${own.join(', ')}]` : what(value)}, expected [${shape.join(', ')}] as in the first example`,
    )
  }
  const scale = scaleOf(name, value)
  let to = at * sizeOf(shape)
  const write = (given: unknown): void => {
    if (typeof given !== 'number') {
      for (let i = 0; i < (given as ArrayLike<unknown>).length; i++) write((given as ArrayLike<unknown>)[i])
      return
    }
    if (!Number.isFinite(Math.fround(given))) throw fail(`${name} has ${given}, expected finite numbers`)
    if (dtype === 'int32' && !Number.isInteger(given)) throw fail(`${name} has ${given}, expected whole numbers`)
    into[to++] = given / scale
  }
  write(value)
}

/** What the numbers of a value are divided by: bytes of an image go from 0 to 255. */
export function scaleOf(name: string, value: unknown): number {
  return name === 'image' && (value instanceof Uint8Array || value instanceof Uint8ClampedArray) ? 255 : 1
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1)
}

/** The shape of a value of numbers; null for anything else. */
function shapeOf(value: unknown): number[] | null {
  if (typeof value === 'number') return []
  if (ArrayBuffer.isView(value) && 'length' in value) return [(value as Uint8Array).length]
  if (!Array.isArray(value)) return null
  const [first] = value
  const inner = value.length === 0 ? [] : shapeOf(first)
  const same = inner && value.every((each) => shapeOf(each)?.join() === inner.join())
  return same ? [value.length, ...inner] : null
}

function isIntegers(value: unknown): boolean {
  return ArrayBuffer.isView(value) && !(value instanceof Float32Array) && !(value instanceof Float64Array)
}

function what(value: unknown): string {
  if (value === undefined || value === null) return 'missing'
  if (Array.isArray(value)) return 'a list of unequal parts'
  if (typeof value === 'object' && 'dataId' in value) return 'a tensor'
  return typeof value === 'string' ? 'a text' : `a value of type ${typeof value}`
}
