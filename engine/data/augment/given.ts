import { type Fail, MixlabError, suggest } from '../../errors.ts'
import { sizeOf } from '../own/example.ts'
import type { Field } from '../types.ts'
import type { Augmentation, Changed } from './definition.ts'
import type { PlacedAugmentation } from './index.ts'

/** New values of a part. */
export interface Given {
  name: string
  values: Float32Array | Int32Array
  /** What they are: for labels that have become distributions another one than before. */
  field: Field
}

interface Place {
  fields: Readonly<Record<string, Field>>
  /** The part that is meant where none is named. */
  main: string
  /** How many examples there are, in a batch or one by itself. */
  count: number
  isBatch: boolean
}

/** What an augmentation gave, by part; that of a cell checked. Throws MixlabError `option`. */
export function givenBy(
  changed: Changed,
  placed: PlacedAugmentation,
  { fields, main, count, isBatch }: Place,
): Given[] {
  const fail = failOf(placed.augmentation)
  const list: [string, unknown][] = isList(changed)
    ? [[main, changed]]
    : Object.entries(checkedParts(changed, fields, main, fail))
  return list.map(([name, values]) => {
    const field = fields[name] as Field
    const soft = isBatch && name === 'label' ? softened(field) : field
    if (!isList(values)) throw fail(`gave ${what(values)}, expected ${shapeText(field.shape, count, isBatch)}`)
    const isSoft = values.length !== count * sizeOf(field.shape) && values.length === count * sizeOf(soft.shape)
    const own = isSoft ? soft : field
    return {
      name,
      field: own,
      values: placed.own ? checked(values, own, { count, isBatch, fail }) : (values as Float32Array),
    }
  })
}

/** Throws MixlabError `option` where the same draws have given something else. */
export function checkSame(first: Given[], second: Given[], augmentation: Augmentation): void {
  const same =
    first.length === second.length &&
    first.every(({ name, values }, i) => {
      const other = second[i]
      return other?.name === name && values.every((value, at) => Object.is(value, other.values[at]))
    })
  if (same) return
  throw failOf(augmentation)(
    'gives something else the second time; take all random numbers from random, and keep no state',
  )
}

export function failOf({ name }: Augmentation): Fail {
  return (what) => new MixlabError('option', `augmentation '${name}'`, what)
}

/** Labels as distributions over their classes. */
function softened(field: Field): Field {
  const { classes, shape } = field
  return classes && shape.length === 0 ? { dtype: 'float32', shape: [classes.length], classes } : field
}

function checkedParts(changed: unknown, fields: Place['fields'], main: string, fail: Fail): Record<string, unknown> {
  const names = Object.keys(fields).filter((name) => fields[name]?.dtype !== 'text')
  if (typeof changed !== 'object' || changed === null || 'then' in changed) {
    throw fail(`gave ${what(changed)}, expected the values of ${main}, or of parts by name`)
  }
  const other = Object.keys(changed).find((name) => !names.includes(name))
  if (other !== undefined)
    throw fail(`gave '${other}', which the training examples do not have${suggest(other, names)}`)
  return changed as Record<string, unknown>
}

function checked(
  values: ArrayLike<number>,
  { shape, dtype, classes }: Field,
  { count, isBatch, fail }: { count: number; isBatch: boolean; fail: Fail },
): Float32Array | Int32Array {
  if (values.length !== count * sizeOf(shape)) {
    throw fail(`gave ${lengthText(values.length, shape, count, isBatch)}, expected ${shapeText(shape, count, isBatch)}`)
  }
  const whole = dtype === 'int32'
  const most = classes?.length ?? Number.POSITIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i]
    const fits =
      typeof value === 'number' &&
      Number.isFinite(Math.fround(value)) &&
      (!whole || (Number.isInteger(value) && value >= 0 && value < most))
    if (fits) continue
    const range = whole ? `whole numbers from 0${classes ? ` to ${most - 1}` : ''}` : 'finite numbers'
    throw fail(`gave ${typeof value === 'number' ? value : what(value)}, expected ${range}`)
  }
  return whole ? new Int32Array(values) : new Float32Array(values)
}

function isList(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value)
}

/** A shape in words: `24 x 24 x 1`, with the number of examples in front where it is of a batch. */
function shapeText(shape: readonly number[], count: number, isBatch: boolean): string {
  const all = isBatch ? [count, ...shape] : shape
  return all.length > 0 ? all.join(' x ') : 'a number'
}

/** How many values there are, as a shape with another last side where they have such. */
function lengthText(length: number, shape: readonly number[], count: number, isBatch: boolean): string {
  const all = isBatch ? [count, ...shape] : [...shape]
  const before = all.slice(0, -1)
  const last = length / sizeOf(before)
  return all.length > 1 && Number.isInteger(last) && last > 0 ? [...before, last].join(' x ') : `${length} values`
}

function what(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'object') {
    if ('dataId' in value) return 'a tensor'
    return 'then' in value ? 'a promise' : 'no list of numbers'
  }
  return `a value of type ${typeof value}`
}
