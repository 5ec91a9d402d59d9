import { type ModelTensor, modelTensors } from '../../cost/trace.ts'
import { MixlabError, suggest } from '../../errors.ts'
import { type Model, parameterCount } from '../../nn/model.ts'
import { fitting } from '../../weights/files/fitting.ts'
import { loadTensors } from '../../weights/model.ts'
import { type NamedTensor, readSafetensors } from '../../weights/safetensors.ts'
import type { Fitted } from './fit.ts'
import { isFresh, isIn, type Taking } from './weightsOf.ts'

/** What a model takes of another one; see `weightsOf`. */
export interface Parts extends Taking {
  /** The tensors of the model that are not to start fresh. */
  wanted: ModelTensor[]
}

/**
 * What a variant of `study` takes of the variant of `before` that it starts from. Throws MixlabError `option` for a part
 * that neither of them has, for tensors of stem or blocks that only one of them has or that are of another shape, unless
 * they start fresh, and where the code of one does not run on shapes alone.
 */
export async function partsFor(
  study: string,
  own: Fitted & { name: string },
  before: string,
  parent: Fitted,
  taking: Taking,
): Promise<Parts> {
  const fail = (what: string) => new MixlabError('option', `${study}.from`, `variant '${own.name}': ${what}`)
  const [here, there] = await Promise.all([own, parent].map(tensorsOf))
  if (!here || !there) throw fail('its code needs values, so that its parts cannot be told before it is trained')
  const names = [...here, ...there].map(({ name }) => name)
  const unknown = taking.fresh?.find((part) => !names.some((name) => isIn(name, part)))
  if (unknown !== undefined)
    throw fail(`nothing in it or in '${before}' is called '${unknown}'${suggest(unknown, names)}`)
  const wanted = here.filter(({ name }) => !isFresh(name, taking.fresh))
  const taken = there.filter(({ name }) => !isFresh(name, taking.fresh))
  const source = `${study}.from: variant '${own.name}', from '${before}'`
  fitted(taken.map(blank), wanted, taking, source)
  const known = new Set(names.slice(0, here.length))
  const left = taken.find(({ name, inHead }) => !inHead && !known.has(name))
  if (left) throw fail(`has no '${left.name}', which '${before}' has; fresh: ['${left.name.split('.')[0]}'] leaves it`)
  return { ...taking, wanted }
}

/** Whether a variant starts all fresh that reads the data, so that these may be other ones. */
export async function readsFresh(own: Fitted, { fresh }: Taking): Promise<boolean> {
  if (!fresh) return false
  const [first] = (await tensorsOf(own)) ?? []
  return first !== undefined && isFresh(first.name, fresh)
}

/**
 * Gives a model what it takes of a file of weights; all else stays as it is initialised. Returns the number of trained
 * values that were given. Throws MixlabError `weights` where they do not fit.
 */
export function startFromParts(weights: Uint8Array, { parameters }: Model, parts: Parts, source: string): number {
  const names = new Set(parts.wanted.map(({ name }) => name))
  const given = readSafetensors(weights, source).tensors.filter(({ name }) => names.has(name))
  const tensors = fitted(given, parts.wanted, parts, source)
  const taken = new Set(tensors.map(({ name }) => name))
  const own = parameters.filter(({ name }) => taken.has(name))
  loadTensors(own, tensors, source)
  return parameterCount(own.filter(({ trained }) => trained))
}

function fitted(given: NamedTensor[], wanted: ModelTensor[], { tokens }: Taking, source: string): NamedTensor[] {
  return fitting(given, wanted, { tokens, source, hint: "tokens: 'copied' or 'resized' fits what depends on them" })
}

const tensorsOf = ({ block, size, opened }: Fitted) =>
  modelTensors(opened.model(block, size), opened.input).catch(() => null)

/** A tensor without values of its own. */
function blank({ name, shape }: ModelTensor): NamedTensor {
  return { name, shape, values: new Float32Array(shape.reduce((product, length) => product * length, 1)) }
}
