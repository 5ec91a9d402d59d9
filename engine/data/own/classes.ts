import { type Fail, quoted, shortened } from '../../errors.ts'
import { classNames, nameKey } from '../classNames.ts'
import type { Field, FieldBatch } from '../types.ts'
import type { Collected } from './collect.ts'

type Fields = Record<string, Field>

interface Labelled {
  fields: Fields
  values: Collected
}

/**
 * Examples whose `label`, or map of classes under `target`, is numbers of classes, and the names of these: the given ones,
 * else the texts of the training examples, sorted, or the numbers. Throws for a label that is none of them.
 */
export function labelled(values: Collected, fields: Fields, given: string[] | undefined, fail: Fail): Labelled {
  const name = fields.label ? 'label' : 'target'
  const field = fields[name]
  if (!field || (name === 'target' && !given && field.dtype !== 'int32')) return { fields, values }
  if (name === 'label' && field.shape.length > 0) throw fail(`label is [${field.shape.join(', ')}], expected a number`)
  const trained = field.dtype === 'text' ? classNames(given ?? (values.train?.[name] as string[])) : null
  const texts = given ? trained : (trained?.sort() ?? null)
  const numbers = mapValues(values, name, texts ? placesIn(texts, fail) : wholeIn(name, fail))
  const classes = texts ?? given ?? Array.from({ length: largest(numbers) + 1 }, (_, i) => String(i))
  for (const [part, labels] of Object.entries(numbers)) checkLabels(labels, `${name} of ${part}`, classes.length, fail)
  const changed = Object.entries(values).map(([part, each]) => [part, { ...each, [name]: numbers[part] }])
  return {
    fields: { ...fields, [name]: { dtype: 'int32', shape: field.shape, classes } },
    values: Object.fromEntries(changed) as Collected,
  }
}

/** The classes of all examples by part. */
function mapValues(
  values: Collected,
  name: string,
  change: (given: FieldBatch[string], part: string) => Int32Array,
): Record<string, Int32Array> {
  return Object.fromEntries(
    Object.entries(values).map(([part, each]) => [part, change(each[name] as FieldBatch[string], part)]),
  )
}

function placesIn(classes: string[], fail: Fail) {
  const places = new Map(classes.map((name, i) => [nameKey(name), i]))
  return (texts: FieldBatch[string], part: string) =>
    Int32Array.from(texts as string[], (text, i) => {
      const at = places.get(nameKey(text))
      if (at !== undefined) return at
      throw fail(
        `example ${i} of ${part}: label is ${quoted(text)}, expected one of ${classes.slice(0, 20).map(shortened).join(', ')}`,
      )
    })
}

/** Lists are read as floats, whatever they hold. */
function wholeIn(name: string, fail: Fail) {
  return (given: FieldBatch[string], part: string) => {
    const numbers = given as Float32Array | Int32Array
    const other = numbers.find((value) => !Number.isInteger(value))
    if (other === undefined) return Int32Array.from(numbers)
    throw fail(`${name} of ${part} has ${other}, expected whole numbers where classes are given`)
  }
}

function largest(numbers: Record<string, Int32Array>): number {
  return Object.values(numbers).reduce((most, each) => each.reduce((a, b) => Math.max(a, b), most), 0)
}

function checkLabels(labels: Int32Array, what: string, classes: number, fail: Fail): void {
  const other = labels.find((each) => each < 0 || each >= classes)
  if (other !== undefined) throw fail(`${what} has ${other}, expected a class from 0 to ${classes - 1}`)
}
