import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import * as language from './index.ts'
import { type Signature, signatures } from './signatures.ts'

type Callable = (...given: unknown[]) => unknown

/**
 * The functions of the block language, and what code of a cell gets in their place: they refuse what they cannot take, and
 * their errors begin with their names.
 */
export const checkedLanguage: ReadonlyMap<unknown, Callable> = new Map(
  Object.entries(language).flatMap(([name, original]): [unknown, Callable][] => {
    const signature = signatures[name]
    return signature ? [[original, checkedFunction(name, original as Callable, signature)]] : []
  }),
)

function checkedFunction(name: string, original: Callable, signature: Signature): Callable {
  const call: Callable = (...given) => {
    for (const [place, [argument, schema]] of Object.entries(signature).entries()) {
      parseOptions(schema, given[place], `${name}.${argument}`)
    }
    try {
      return original(...given)
    } catch (error) {
      // what code inside of a scope throws is its own; tfjs throws plain errors for shapes that do not fit
      const plain = error instanceof Error && error.constructor === Error && name !== 'scope'
      throw plain ? new MixlabError('option', name, shapesIn(error.message)) : error
    }
  }
  return Object.defineProperty(call, 'name', { value: name })
}

/** What tfjs says of shapes that do not fit or have too many axes, in fewer words; anything else as it is. */
export function shapesIn(message: string): string {
  const [, rank, axes = rank] = /(?:rank[ -](\d+)|(\d+)-D)\b.* is not yet supported/.exec(message) ?? []
  if (axes) return `a tensor of ${axes} axes, more than this backend takes; join some by reshape, or train on simd`
  const [, a, b] = /^Operands could not be broadcast together with shapes ([\d,]*) and ([\d,]*)\.$/.exec(message) ?? []
  return a === undefined ? message : `shapes [${a}] and [${b}] do not fit`
}
