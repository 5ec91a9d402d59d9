import type { Tensor } from '@tensorflow/tfjs-core'
import { MixlabError, suggest } from '../errors.ts'
import type { Frame, Modality } from './frame.ts'
import { MODEL_OPTIONS, type ModelOptions, type Size } from './size.ts'

/** From `x`, `[batch, tokens, dim]`, to the same shape. */
export type BlockFunction<Options = object> = (x: Tensor, size: Size & Options) => Tensor

/** What begins and ends a model around its blocks, where an architecture has its own, by what it reads. */
export type Frames<Options = object> = Partial<Record<Modality, Frame<Options>>>

/** A block as a variant of a study. */
export interface Block {
  readonly kind: 'block'
  readonly blockName: string
  /** Values for options that neither the study nor the variant gives. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** What the variant gives. */
  readonly options: Readonly<Record<string, unknown>>
  /** The block as it was defined, before options were given. */
  readonly origin: Block
  run(x: Tensor, size: Size): Tensor
  readonly frames: Frames
}

/** A block that is also a function: called with options it gives a copy that has them, e.g. `mixer({ depth: 4 })`. */
export type BlockWith<Options> = Block & { run: BlockFunction<Options> } & ((
    options?: Partial<Options> & ModelOptions,
  ) => BlockWith<Options>)

/**
 * Defines a block: a function from `x` to `x` in the block language, with defaults for its own options. `frames` say how
 * a model of such blocks begins and ends, where not as usual.
 */
export function block(name: string, run: BlockFunction): BlockWith<object>
export function block<Options extends object>(
  name: string,
  defaults: Options,
  run: BlockFunction<NoInfer<Options>>,
  frames?: Frames<NoInfer<Options>>,
): BlockWith<Options>
export function block(name: string, ...rest: unknown[]): BlockWith<object> {
  const [defaults, run, frames = {}] = rest.length > 1 ? rest : [{}, rest[0]]
  if (typeof name !== 'string' || !name) throw new MixlabError('option', 'block', 'expected a name as first argument')
  if (typeof run !== 'function')
    throw new MixlabError('option', `block '${name}'`, 'expected a function (x, size) => x')
  const definition = { blockName: name, defaults, run, frames } as Definition
  return withOptions(definition, {}, null)
}

export function isBlock(value: unknown): value is Block {
  return typeof value === 'function' && 'kind' in value && value.kind === 'block'
}

type Definition = Pick<Block, 'blockName' | 'defaults' | 'run' | 'frames'>

function withOptions(definition: Definition, options: Block['options'], origin: Block | null): BlockWith<object> {
  const copy = (given: object = {}) => {
    for (const key of Object.keys(given)) checkOption(definition, key)
    return withOptions(definition, { ...options, ...given }, self.origin)
  }
  const self = copy as BlockWith<object>
  return Object.assign(copy, { ...definition, kind: 'block' as const, options, origin: origin ?? self })
}

function checkOption({ blockName, defaults }: Definition, key: string): void {
  const known = [...new Set([...Object.keys(defaults), ...MODEL_OPTIONS])]
  if (!known.includes(key)) throw new MixlabError('option', blockName, `unknown option '${key}'${suggest(key, known)}`)
}
