import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'

/** A tensor and the letters of its axes. */
interface Term {
  x: tf.Tensor
  letters: string[]
}

/**
 * A sum of products by the letters of the axes, as `torch.einsum`: `einsum('bnd,hde->bhne', x, w)`. Letters that the result
 * has not are summed over; the result has to be named. Operands are joined from left to right, each pair by one batched
 * product of matrices. Throws MixlabError `option` for an equation that does not fit the operands, and for a letter twice in
 * one operand.
 */
export function einsum(equation: string, ...operands: tf.Tensor[]): tf.Tensor {
  const { terms, result } = parsed(equation, operands)
  const joined = terms.reduce((left, right, i) => {
    const later = terms.slice(i + 1).flatMap(({ letters }) => letters)
    return product(left, right, new Set([...result, ...later]))
  })
  return ordered(summed(joined, new Set(result)), result).x
}

function parsed(equation: string, operands: tf.Tensor[]): { terms: Term[]; result: string[] } {
  const fail = (what: string) => new MixlabError('option', 'einsum', `'${equation}': ${what}`)
  const [left = '', right, ...more] = equation.replaceAll(' ', '').split('->')
  if (right === undefined || more.length > 0 || !/^[a-zA-Z,]+$/.test(left) || !/^[a-zA-Z]*$/.test(right)) {
    throw fail("expected letters for all axes and for the result, as in 'bij,bjk->bik'")
  }
  const names = left.split(',')
  if (names.length !== operands.length) throw fail(`${operands.length} tensors, expected ${names.length}`)
  const lengths = new Map<string, number>()
  const terms = names.map((name, i) => {
    const [letters, x] = [[...name], operands[i]]
    if (!(x instanceof tf.Tensor)) throw fail(`operand ${i + 1} is no tensor`)
    if (letters.length !== x.rank) throw fail(`'${name}' for a tensor [${x.shape}]`)
    if (new Set(letters).size < letters.length) throw fail(`a letter twice in '${name}', expected different ones`)
    for (const [axis, letter] of letters.entries()) {
      const length = x.shape[axis] as number
      const known = lengths.get(letter) ?? length
      if (known !== length) throw fail(`'${letter}' is ${known} in one operand and ${length} in [${x.shape}]`)
      lengths.set(letter, length)
    }
    return { x, letters }
  })
  const result = [...right]
  const unknown = result.find((letter) => !lengths.has(letter))
  if (unknown) throw fail(`'${unknown}' of the result is in no operand`)
  if (new Set(result).size < result.length) throw fail('a letter twice in the result, expected different ones')
  return { terms, result }
}

/** Both at once, summed over the letters of both that are not kept. */
function product(left: Term, right: Term, kept: ReadonlySet<string>): Term {
  const a = summed(left, new Set([...kept, ...right.letters]))
  const b = summed(right, new Set([...kept, ...left.letters]))
  const lengthOf = new Map(
    [a, b].flatMap(({ x, letters }) => letters.map((each, axis) => [each, x.shape[axis]] as const)),
  )
  const sizes = (letters: string[]) => letters.map((each) => lengthOf.get(each) as number)
  const size = (letters: string[]) => tf.util.sizeFromShape(sizes(letters))

  const shared = a.letters.filter((each) => b.letters.includes(each))
  const [batch, inner] = [shared.filter((each) => kept.has(each)), shared.filter((each) => !kept.has(each))]
  const [rows, columns] = [a, b].map(({ letters }) => letters.filter((each) => !shared.includes(each))) as [
    string[],
    string[],
  ]
  const letters = [...batch, ...rows, ...columns]
  if (inner.length === 0) {
    // as [batch, rows, 1] times [batch, 1, columns], value by value
    const [x, y] = [ordered(a, [...batch, ...rows]).x, ordered(b, [...batch, ...columns]).x]
    const ones = (of: string[]) => of.map(() => 1)
    const wide = tf.reshape(x, [...sizes(batch), ...sizes(rows), ...ones(columns)])
    return { x: tf.mul(wide, tf.reshape(y, [...sizes(batch), ...ones(rows), ...sizes(columns)])), letters }
  }
  const [x, transposeA] = matrices(a, batch, rows, inner)
  const [y, transposeB] = matrices(b, batch, inner, columns)
  const shape = (high: string[], wide: string[]) => [...(batch.length > 0 ? [size(batch)] : []), size(high), size(wide)]
  const first = tf.reshape(x, transposeA ? shape(inner, rows) : shape(rows, inner))
  const second = tf.reshape(y, transposeB ? shape(columns, inner) : shape(inner, columns))
  return { x: tf.reshape(tf.matMul(first, second, transposeA, transposeB), sizes(letters)), letters }
}

/** With its axes as those of matrices, or of transposed ones where nothing has to be moved for that. */
function matrices(term: Term, batch: string[], high: string[], wide: string[]): [x: tf.Tensor, transposed: boolean] {
  const transposed = term.letters.join('') === [...batch, ...wide, ...high].join('') && high.length * wide.length > 0
  return [transposed ? term.x : ordered(term, [...batch, ...high, ...wide]).x, transposed]
}

/** Summed over all letters that are not kept. */
function summed({ x, letters }: Term, kept: ReadonlySet<string>): Term {
  const axes = letters.flatMap((each, axis) => (kept.has(each) ? [] : [axis]))
  return axes.length === 0 ? { x, letters } : { x: tf.sum(x, axes), letters: letters.filter((each) => kept.has(each)) }
}

/** With its axes in this order of the same letters. */
function ordered({ x, letters }: Term, order: string[]): Term {
  const perm = order.map((each) => letters.indexOf(each))
  return perm.every((from, to) => from === to) ? { x, letters } : { x: tf.transpose(x, perm), letters: order }
}
