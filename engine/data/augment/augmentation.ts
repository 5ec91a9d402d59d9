import { noteDefinition } from '../../definitions.ts'
import { MixlabError } from '../../errors.ts'
import { type Augmentation, type AugmentationOptions, type ChangeExample, define } from './definition.ts'
import { builtInNames } from './index.ts'

const PARTS = ['part', 'change', 'batch']

/**
 * Defines an augmentation for `train: { augment: { own: [...] } }`: a function of one training example and its random draws
 * that gives new values of the same shape, or `{ part, change }` for data that have such a part, or `{ part, batch }` for a
 * function of a whole batch, e.g. to mix examples. Throws MixlabError `option`.
 */
export function augmentation(name: string, change: ChangeExample | AugmentationOptions): Augmentation {
  if (typeof name !== 'string' || !name) {
    throw new MixlabError('option', 'augmentation', 'expected a name as first argument')
  }
  if (builtInNames.includes(name)) {
    throw new MixlabError('option', 'augmentation', `'${name}' is built in; take another name`)
  }
  const fail = (what: string) => new MixlabError('option', `augmentation '${name}'`, what)
  const options = typeof change === 'function' ? { change } : change
  if (typeof options !== 'object' || options === null) {
    throw fail('expected a function (example, random) => values, or { part, change } or { part, batch }')
  }
  const other = Object.keys(options).find((part) => !PARTS.includes(part))
  if (other) throw fail(`unknown '${other}', expected ${PARTS.join(', ')}`)
  const { part, change: single, batch } = options
  if (part !== undefined && (typeof part !== 'string' || !part)) throw fail("part: expected a name, e.g. 'image'")
  const given = [single, batch].filter((each) => each !== undefined)
  if (given.length !== 1 || typeof given[0] !== 'function') {
    throw fail('expected one function, change: (example, random) => values, or batch: (batch, random) => values')
  }
  const defined = define(name, options)
  noteDefinition(defined)
  return defined
}
