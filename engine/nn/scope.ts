import * as tf from '@tensorflow/tfjs-core'
import { withoutChance } from '../chance.ts'
import { MixlabError } from '../errors.ts'
import { type Key, keyOf, type Mask, maskOf } from '../random.ts'
import type { Fans, Initialiser } from './initialisers.ts'
import { type Layout, PLAIN } from './layout.ts'

/** A trained tensor of a model. */
export interface Parameter {
  /** Its place, e.g. `blocks.3.mlp_channels.fc1.weight`. */
  name: string
  /** Shape in memory; see layout.ts for the shape in files. */
  shape: number[]
  layout: Layout
  /** Whether weight decay applies: not to biases, norms, positions and the like. */
  decay: boolean
  /** False for what no gradient reaches, e.g. running statistics. */
  trained: boolean
  /**
   * Only of a matrix over tokens, outputs by inputs: rows and columns of the patches that its inputs are, or null where
   * these are no grid.
   */
  tokenGrid?: TokenGrid | null | undefined
  /** The values that a stream of draws starts it from, maybe written into `into`; every parameter of a model has it. */
  initial?(key: Key, into?: Float32Array): Float32Array
  variable: tf.Variable
}

/** Rows and columns of patches. */
export type TokenGrid = [rows: number, columns: number]

export interface ParameterOptions {
  layout?: Layout
  fans?: Fans
  decay?: boolean
  trained?: boolean
  tokenGrid?: TokenGrid | null
}

/** A part of a model that does nothing in a pass: a block, which passes on what it gets, or a head of an attention. */
export type Ablated = { block: number } | { layer: string; head: number }

/** One pass through a model: where its code is, and which parameters and draws belong there. */
export interface Pass {
  parameters: Map<string, Parameter>
  seed: number
  /** Makes the variable of a parameter met for the first time, maybe in the memory `into`; null once a model is complete. */
  create: ((name: string, shape: number[], fill: (into?: () => Float32Array) => Float32Array) => tf.Variable) | null
  training: boolean
  /** Optimizer steps done; names the draws of stochastic depth. */
  step: number
  /** Probability that a residual branch of the current block is dropped for a sample. */
  dropPath: number
  /** `[batch, tokens]`, 0 where a key gets no attention; text with padding only. */
  mask?: tf.Tensor | undefined
  /** How the tokens of an image lie in it. */
  grid?: TokenGrid | undefined
  /** Stand for the variables of the parameters, by name, while the code is recorded. */
  instead?: Record<string, tf.Variable> | undefined
  /** Called with each tensor that is drawn anew for every step, and how it is drawn. */
  onDraw?: ((tensor: tf.Tensor, values: (step: number) => Float32Array, source?: Mask) => void) | undefined
  /** Makes the tensors that are drawn, where only shapes matter. */
  blank?: ((shape: number[]) => tf.Tensor) | undefined
  /** Sees what each block receives and returns. */
  onBlock?: ((i: number, x: tf.Tensor, y: tf.Tensor) => void) | undefined
  /**
   * Sees the weights of each attention, by the place of its layer: `[batch, heads, tokens, tokens]`, with a batch of 1
   * where all samples share them; over a memory `[batch, heads, tokens, slots]`.
   */
  onAttention?: ((layer: string, weights: tf.Tensor) => void) | undefined
  /** The part that does nothing. */
  ablated?: Ablated | undefined
}

interface ScopeState {
  pass: Pass
  prefix: string
  /** Full names of the open scopes, outermost first. */
  scopes: string[]
  /** Names taken in this pass, by full name. */
  taken: Set<string>
}

let activeScope: ScopeState | null = null

function currentScope(what: string): ScopeState {
  if (!activeScope) throw new MixlabError('option', what, 'only works inside a block, while a model runs')
  return activeScope
}

/** Runs the code of a model; parameters made or used inside belong to `pass`. What draws by itself throws Unrepeatable. */
export function runInPass<T>(pass: Pass, run: () => T): T {
  const outer = activeScope
  activeScope = { pass, prefix: '', scopes: [], taken: new Set() }
  try {
    return withoutChance(run)
  } finally {
    activeScope = outer
  }
}

/** The pass that is running. Throws outside of a model. */
export function currentPass(what: string): Pass {
  return currentScope(what).pass
}

/** Full names of the scopes around the running code, outermost first; none outside of a model. */
export function currentScopes(): string[] {
  return activeScope ? [...activeScope.scopes] : []
}

/**
 * Runs `body` with names below `name`. Without an explicit name the kind is numbered by place: `dense`, `dense_1`, ...
 * An empty name adds nothing: the names of `body` are at the current place. Throws if an explicit name is used twice.
 */
export function scope<T>(kind: string, name: string | undefined, body: (path: string) => T): T {
  const at = currentScope(kind)
  if (name === '') return body(at.prefix)
  const path = at.prefix + (name ?? freeName(at, kind))
  if (at.taken.has(path)) throw new MixlabError('option', path, 'name used twice in one model')
  at.taken.add(path)
  const outer = at.prefix
  at.prefix = `${path}.`
  at.scopes.push(path)
  try {
    return body(path)
  } catch (error) {
    if (error instanceof Error && !failedIn.has(error)) failedIn.set(error, [...at.scopes])
    throw error
  } finally {
    at.prefix = outer
    at.scopes.pop()
  }
}

const failedIn = new WeakMap<Error, string[]>()

/** Full names of the scopes in which an error was thrown, outermost first; none outside of scopes. */
export function scopesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return failedIn.get(error) ?? scopesOf(error.cause)
}

/** A mask that is drawn anew for every step; `source` says how, and its values depend on the step alone. */
export function drawn(shape: number[], source: Mask): tf.Tensor {
  const size = tf.util.sizeFromShape(shape)
  return drawnBy(shape, (step) => maskOf(source, step, size), source)
}

/** A constant whose values depend on the step alone; `source` says how a backend can draw them by itself. */
export function drawnBy(shape: number[], values: (step: number) => Float32Array, source?: Mask): tf.Tensor {
  const { step, onDraw, blank } = currentPass('drawn')
  const tensor = blank ? blank(shape) : tf.tensor(values(step), shape)
  onDraw?.(tensor, values, source)
  return tensor
}

/** What the attention here gives, `[batch, heads, tokens, width]` or, of one head, `[batch, tokens, dim]`, without the head that does nothing. */
export function withoutAblated(heads: tf.Tensor): tf.Tensor {
  const { ablated } = currentPass('attention')
  if (!ablated || 'block' in ablated || ablated.layer !== currentScopes().at(-1)) return heads
  if (heads.rank === 3) return tf.zerosLike(heads)
  const kept = Array.from({ length: heads.shape[1] as number }, (_, head) => Number(head !== ablated.head))
  return tf.mul(heads, tf.tensor4d(kept, [1, kept.length, 1, 1]))
}

/** Passes the weights of an attention to the observer of this pass; without one they are not asked for. */
export function showAttention(weights: () => tf.Tensor): void {
  currentPass('attention').onAttention?.(currentScopes().at(-1) ?? '', weights())
}

function freeName(at: ScopeState, kind: string): string {
  for (let i = 0; ; i++) {
    const name = i === 0 ? kind : `${kind}_${i}`
    if (!at.taken.has(at.prefix + name)) return name
  }
}

/** The most values of one tensor of a block: 4 GiB, all that the memory of WebAssembly has. */
const MAX_VALUES = 2 ** 30

/** Throws MixlabError `option` for a shape with more values than a tensor of a block may have. */
export function checkCount(path: string, shape: readonly number[]): void {
  const size = tf.util.sizeFromShape([...shape])
  if (size <= MAX_VALUES) return
  throw new MixlabError('option', path, `shape [${shape}] has ${size} values, expected at most ${MAX_VALUES}`)
}

/**
 * The parameter `name` at the current place, made on first use by `initialise`. `shape` is its shape in memory.
 * Its first values depend only on the seed of the run and its full name.
 */
export function parameter(
  name: string,
  shape: number[],
  initialise: Initialiser,
  options: ParameterOptions = {},
): tf.Variable {
  const { pass, prefix } = currentScope(name)
  const path = prefix + name
  const known = pass.parameters.get(path)
  if (known) {
    if (!tf.util.arraysEqual(known.shape, shape)) {
      throw new MixlabError('option', path, `shape [${shape}] differs from the first use, [${known.shape}]`)
    }
    return pass.instead?.[path] ?? known.variable
  }
  if (!pass.create) throw new MixlabError('option', path, 'parameter did not exist when the model was made')
  if (shape.some((length) => !Number.isInteger(length) || length < 1)) {
    throw new MixlabError('option', path, `shape [${shape}], expected whole numbers of at least 1`)
  }
  const size = tf.util.sizeFromShape(shape)
  const fans = options.fans ?? { in: shape[0] ?? 1, out: shape.at(-1) ?? 1 }
  const initial = (key: Key, into?: Float32Array) =>
    withoutChance(() => initialise(size, fans, key, into), 'an initialiser draws by the key that it gets')
  const variable = pass.create(path, shape, (into) => {
    checkCount(path, shape)
    return initial(keyOf(pass.seed, `init/${path}`), into?.())
  })
  const { layout = PLAIN, decay = shape.length > 1, trained = true, tokenGrid } = options
  pass.parameters.set(path, { name: path, shape, layout, decay, trained, tokenGrid, initial, variable })
  return variable
}
