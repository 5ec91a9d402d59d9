import { kindOfArray, MOST_AXES, typeText } from '../npz.ts'
import { isInert, Stateful } from './pickle.ts'

/** A type of numpy as a pickle has it: a name as in `f4`, to which its state adds the order of its bytes. */
export class Dtype extends Stateful {
  private readonly name: string
  private order = '|'
  private isStructured = false

  constructor(type: unknown) {
    super()
    this.name = isInert(type) ? type.inert : typeof type === 'string' ? type : 'unknown'
  }
  setState(state: unknown): void {
    const [, order, , names] = Array.isArray(state) ? state : []
    if (typeof order === 'string') this.order = order
    this.isStructured = names !== null && names !== undefined
  }
  /** As a .npy file has it. */
  get text(): string {
    if (/bfloat16$/.test(this.name)) return '|V2' // of ml_dtypes
    return this.isStructured ? 'structured' : `${this.order}${this.name}`
  }
}

/** An array of numpy in a pickle, as a window on its own bytes; of a type that is not read where it is not known. */
export class PickledArray extends Stateful {
  storage = { key: '', type: 'array', start: 0, bytes: new Uint8Array() as Uint8Array, isBig: false }
  offset = 0
  shape: unknown = []
  strides: unknown = []

  static of(state: unknown): PickledArray {
    const array = new PickledArray()
    array.setState(state)
    return array
  }
  /** Version, shape, type, whether it lies column by column, and bytes. */
  setState(state: unknown): void {
    const [, shape, dtype, fortran, data] = Array.isArray(state) ? state : []
    if (!(dtype instanceof Dtype) || !Array.isArray(shape) || shape.length > MOST_AXES) return
    const kind = kindOfArray(dtype.text)
    const isRead = kind !== undefined && data instanceof Uint8Array
    const bytes = isRead ? data : new Uint8Array()
    this.storage = {
      key: '',
      type: isRead ? kind : typeText(dtype.text),
      start: 0,
      bytes,
      isBig: /^>/.test(dtype.text),
    }
    this.shape = shape
    const lengths = fortran ? [...shape].reverse() : shape
    const steps = lengths.map((_, axis) => lengths.slice(axis + 1).reduce((all, length) => all * length, 1))
    this.strides = fortran ? steps.reverse() : steps
  }
}
