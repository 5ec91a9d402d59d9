import { noteDefinition } from '../definitions.ts'
import { MixlabError, suggest } from '../errors.ts'
import { copyOf, parseOptions } from '../options.ts'
import { endsSchema } from './ends.ts'
import { MODEL_OPTIONS, type ModelOptions } from './size.ts'
import type { Around, Block, BlockFunction, OwnEnds } from './types.ts'

/** A block that is also a function: called with options it gives a copy that has them, e.g. `mixer({ depth: 4 })`. */
export type BlockWith<Options> = Block & { run: BlockFunction<Options> } & ((
    options?: Partial<Options> & ModelOptions,
  ) => BlockWith<Options>)

/**
 * Defines a block: a function from `x` to `x` in the block language, with defaults for its own options. What is `around`
 * it says how a model of such blocks begins and ends, where not as usual.
 */
export function block(name: string, run: BlockFunction): BlockWith<object>
export function block<Options extends object>(
  name: string,
  defaults: Options,
  run: BlockFunction<NoInfer<Options>>,
  around?: Around<NoInfer<Options>>,
): BlockWith<Options>
export function block(name: string, ...rest: unknown[]): BlockWith<object> {
  const [defaults, run, around = {}] = rest.length > 1 ? rest : [{}, rest[0]]
  if (typeof name !== 'string' || !name) throw new MixlabError('option', 'block', 'expected a name as first argument')
  if (typeof run !== 'function')
    throw new MixlabError('option', `block '${name}'`, 'expected a function (x, size) => x')
  for (const [what, given] of Object.entries({ defaults, around })) {
    if (typeof given !== 'object' || !given)
      throw new MixlabError('option', `block '${name}'`, `its ${what}: expected an object`)
  }
  const { numerics, changedAt = null, stages = null, ...frames } = around as Around
  const own = {
    blockName: name,
    defaults: Object.freeze(copyOf(defaults)),
    run,
    frames,
    numerics: numberOf(run, numerics),
    changedAt,
    stages,
  }
  return define({ ...own, ends: {}, parts: null } as Definition)
}

/** A block of its own, noted as one that the running cell defines. */
export function define(definition: Omit<Definition, 'captured'>, options: Block['options'] = {}): BlockWith<object> {
  const defined = withOptions({ ...definition, captured }, options, null)
  noteDefinition(defined)
  return defined
}

/** A block with another stem or head: another block, since these are code, too. */
export function withEnds(block: Block, { stem, head }: OwnEnds): BlockWith<object> {
  const ends = { ...block.ends, ...(stem && { stem }), ...(head && { head }) }
  const { blockName, defaults, run, frames, numerics, changedAt, parts, stages } = block
  return define({ blockName, defaults, run, frames, numerics, changedAt, parts, stages, ends }, block.options)
}

export function isBlock(value: unknown): value is Block {
  return typeof value === 'function' && 'kind' in value && value.kind === 'block'
}

type Definition = Pick<
  Block,
  'blockName' | 'defaults' | 'run' | 'frames' | 'ends' | 'parts' | 'stages' | 'numerics' | 'changedAt' | 'captured'
>

let captured: Block['captured'] = {}

/** Runs `define`; blocks defined meanwhile may have captured these values, and say so. */
export function capturing<Result>(values: Block['captured'], define: () => Result): Result {
  const before = captured
  captured = { ...before, ...values }
  try {
    return define()
  } finally {
    captured = before
  }
}

/** The numbers of functions, each from the first block that has it. */
const numbers = new WeakMap<object, number>()

/** The number of a block that has this function and a number of its own: both rise alone, and so does their sum. */
function numberOf(run: object, own = 1): number {
  const before = numbers.get(run)
  if (before === undefined) numbers.set(run, own)
  return own + (before ?? 1) - 1
}

function withOptions(definition: Definition, options: Block['options'], origin: Block | null): BlockWith<object> {
  const copy = (given: object = {}) => {
    for (const key of Object.keys(given)) checkOption(definition, key)
    const { ends, own } = withoutEnds(given, definition)
    const copied = withOptions(definition, { ...options, ...own }, self.origin)
    return ends ? withEnds(copied, ends) : copied
  }
  const self = copy as BlockWith<object>
  return Object.assign(copy, {
    ...definition,
    kind: 'block' as const,
    options: Object.freeze(copyOf(options)),
    origin: origin ?? self,
  })
}

/** Options of a block, and the stem and head among them; null for none. A block may have options of these names. */
function withoutEnds(given: OwnEnds, { blockName, defaults }: Definition): { ends: OwnEnds | null; own: object } {
  const { stem, head, ...own } = given
  const ends = { ...('stem' in given && { stem }), ...('head' in given && { head }) }
  const taken = Object.keys(ends).filter((name) => !Object.hasOwn(defaults, name))
  if (taken.length === 0) return { ends: null, own: given }
  return { ends: parseOptions(endsSchema, ends, blockName), own }
}

function checkOption({ blockName, defaults }: Definition, key: string): void {
  const known = [...new Set([...Object.keys(defaults), ...MODEL_OPTIONS])]
  if (!known.includes(key)) throw new MixlabError('option', blockName, `unknown option '${key}'${suggest(key, known)}`)
}
