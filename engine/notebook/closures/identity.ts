import { Tensor } from '@tensorflow/tfjs-core'
import { digest } from '../../data/digest.ts'
import { isBlock } from '../../nn/block.ts'
import { closureOf, nameOf } from './closures.ts'

/** Objects that are looked at for one identity, and characters that are written down. */
const LIMITS = { objects: 100_000, characters: 2 ** 26 }

/** Thrown where a value has something in it that nothing says. */
class Opaque extends Error {}

/** What something that is the same everywhere is called in an identity, by its name. */
export type Naming = (name: string) => string

/**
 * SHA-256 of what a value is: data by their values, functions and classes of cells by what they say, however it is written,
 * and by all that they capture, as it is now. Two values with one identity do the same. Null where that cannot be said, as
 * of a function that was made by code outside of cells, or of an object with private members.
 */
export async function identityOf(value: unknown, naming: Naming = (name) => name): Promise<string | null> {
  const parts: (string | Promise<string>)[] = []
  const seen = new Map<object, number>()
  let characters = 0

  function write(text: string): void {
    characters += text.length
    if (characters > LIMITS.characters) throw new Opaque()
    parts.push(text)
  }

  function list(kind: string, values: Iterable<unknown>): void {
    write(`${kind}(`)
    for (const each of values) visit(each)
    write(')')
  }

  function visit(value: unknown): void {
    if (typeof value === 'object' ? value === null : typeof value !== 'function') write(primitive(value))
    else visitReference(value as object)
  }

  function visitReference(value: object): void {
    const known = seen.get(value)
    const name = nameOf(value)
    if (known !== undefined) write(`@${known};`)
    else if (name !== undefined) write(`name ${naming(name)};`)
    else if (seen.size === LIMITS.objects) throw new Opaque()
    else {
      seen.set(value, seen.size)
      if (typeof value === 'function') visitFunction(value)
      else visitObject(value)
    }
  }

  function visitFunction(value: object): void {
    if (isBlock(value)) {
      const { origin, run, frames, defaults, options, numerics, ends, parts } = value
      const { stem, head } = ends
      const more = [...(stem || head ? [[stem?.run, head?.run]] : []), ...(parts ? [parts] : [])]
      const own = [parts ? null : run, frames, defaults, numerics, ...more]
      list('block', [origin === value ? own : origin, options])
    } else {
      const closure = closureOf(value)
      if (!closure) throw new Opaque()
      write(`code ${digest(closure.text)};`)
      list('captured', closure.captured())
      visitMembers(value)
      if ('prototype' in value && value.prototype) visitMembers(value.prototype)
    }
  }

  function visitObject(value: object): void {
    if (value instanceof Tensor) visitTensor(value)
    else if (ArrayBuffer.isView(value)) write(`${value.constructor.name} ${digest(bytesOf(value))};`)
    else if (value instanceof Date) write(`date ${value.getTime()};`)
    else if (value instanceof RegExp) write(`${value} ${value.lastIndex};`)
    else {
      if (value instanceof Map) list('map', [...value].flat())
      else if (value instanceof Set) list('set', value)
      else if (Array.isArray(value)) write(`array ${value.length};`)
      else if (!isPlain(value)) visit(classOf(value))
      visitMembers(value)
    }
  }

  /** Visits the own properties of a value, in their order; of a function only the properties that code assigned to it. */
  function visitMembers(value: object): void {
    write('{')
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)
      const enumerable = property?.enumerable && typeof key === 'string'
      if (!enumerable && (typeof value === 'function' || isItsOwn(value, key))) continue
      if (!enumerable || property.get || property.set) throw new Opaque()
      write(`${JSON.stringify(key)}:`)
      visit(property.value)
    }
    write('}')
  }

  function visitTensor(tensor: Tensor): void {
    write(`tensor ${tensor.dtype} ${tensor.shape};`)
    const values: Promise<ArrayBufferView | ArrayLike<unknown>> = tensor.data()
    parts.push(values.then((read) => (ArrayBuffer.isView(read) ? digest(bytesOf(read)) : JSON.stringify(read))))
  }

  try {
    visit(value)
    return digest((await Promise.all(parts)).join(''))
  } catch {
    return null // nothing says it, a value has none yet, or a tensor has been disposed
  }
}

function primitive(value: unknown): string {
  if (typeof value === 'symbol') throw new Opaque()
  if (typeof value === 'string') return `${JSON.stringify(value)};`
  return `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)};`
}

/** What every list and every prototype has. */
function isItsOwn(value: object, key: string | symbol): boolean {
  return Array.isArray(value) ? key === 'length' : 'constructor' in value && Object.hasOwn(value, 'constructor')
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The class of cells that an object is of; all that such an object has is what it shows. */
function classOf(value: object): object {
  const prototype: object = Object.getPrototypeOf(value)
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  if (typeof made === 'function' && made.prototype === prototype && closureOf(made)) return made
  throw new Opaque()
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
