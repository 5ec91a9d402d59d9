import * as tf from '@tensorflow/tfjs'
import { modules } from '../../../app/modules.ts'
import type { Argument } from '../../../engine/gradients/differences.ts'
import * as mixlab from '../../../engine/index.ts'
import { isBlock } from '../../../engine/nn/block.ts'
import { checkedLanguage } from '../../../engine/nn/checked.ts'
import * as language from '../../../engine/nn/index.ts'
import { type Pass, runInPass } from '../../../engine/nn/scope.ts'
import { DEFINING, rightCalls } from '../nn/calls.ts'
import { apart, type Case, of, whole } from './cases.ts'
import { meddled } from './meddling.ts'
import { constant, machinery, refused, synonyms, table } from './table.ts'

type Call = (...given: unknown[]) => unknown

/** The spaces of tfjs whose functions the table knows by their own names. */
const SPACES = ['image', 'linalg', 'losses', 'math', 'signal', 'sparse', 'spectral']

/** Of the block language: what gives no tensor, or one that depends on no other. */
const NO_TENSORS: Record<string, string> = {
  ...because('gives values of a parameter', [
    ...['constant', 'kaimingNormal', 'lecunNormal', 'nearZero', 'normal', 'ones', 'sinusoid', 'torchDefault'],
    ...['uniform', 'xavierUniform', 'zeros'],
  ]),
  ...because('is a parameter', ['embedding', 'firstRows', 'parameter', 'relativePositionBias', 'resizedPositions']),
  ...because('is constant between jumps', [
    'equal',
    'greater',
    'greaterEqual',
    'less',
    'lessEqual',
    'notEqual',
    'zerosLike',
  ]),
  ...because('gives no tensor', ['scope', 'sidesOf', 'usualFrames']),
  ...because('defines what is trained', DEFINING),
  surrogate: 'has its own test',
}
/** Further exports of mixlab that give tensors. */
const LOSSES: Record<string, Case[]> = {
  crossEntropy: [
    of([...apart([3, 4]), whole([3], 4)], (x, y) => mixlab.crossEntropy(x as tf.Tensor2D, y as tf.Tensor1D)),
  ],
  meanSquaredError: [of(apart([3, 4], [3, 4]), (a, b) => mixlab.meanSquaredError(a as tf.Tensor, b as tf.Tensor))],
}

function because(why: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]))
}

/** Names of what a cell can import of each module that are functions, those of its spaces by their own. */
export function exportedNames(module: string): string[] {
  const all = Object.entries(modules[module] ?? {}).filter(([name]) => /^[a-z]/.test(name) && name !== 'default')
  return all.flatMap(([name, value]) => {
    if (SPACES.includes(name) && module !== 'mixlab') return Object.keys(value as object)
    return typeof value === 'function' ? [name] : []
  })
}

const WHOLE = /^bitwise/

/** Why a function of tfjs has no cases; undefined for what has. */
export function reasonOfTfjs(name: string): string | undefined {
  if (synonyms[name]) return `is ${synonyms[name]}`
  if (refused.includes(name)) return 'a model that trains through it is refused'
  if (constant.includes(name)) return 'takes nothing that is trained'
  if (WHOLE.test(name)) return 'is of whole numbers'
  return machinery.includes(name) ? 'is no operation' : undefined
}

/** The same of mixlab. */
export function reasonOfMixlab(name: string): string | undefined {
  const value = (mixlab as Record<string, unknown>)[name]
  if (isBlock(value)) return 'is a model'
  return name in language || name in LOSSES ? NO_TENSORS[name] : 'has nothing to do with tensors'
}

/** Cases of functions of tfjs, by name. */
export const ofTfjs: Record<string, Case[]> = Object.fromEntries(
  Object.entries(table).filter(([name]) => !WHOLE.test(name)),
)

/** Cases of functions of mixlab, with tensors of the usual shape, and with axes of length 1 where they take these. */
export function ofMixlab(name: string): Case[] {
  const own = (mixlab as Record<string, unknown>)[name] as Call
  const call = meddled((checkedLanguage.get(own) as Call | undefined) ?? own)
  const shapes = [
    [1, 4, 8],
    [2, 1, 8],
    [2, 4, 1],
    [1, 1, 1],
  ]
  return LOSSES[name] ?? shapes.flatMap((shape, i) => caseOf(name, call, shape) ?? (i === 0 ? fail(name) : []))
}

function fail(name: string): never {
  throw new Error(`${name}: its call does not work`)
}

/** A call with the floats among what it is given as inputs; null where it does not take such a shape. */
function caseOf(name: string, call: Call, shape: number[]): Case | null {
  const given = () => rightCalls(shape)[name]?.() ?? []
  let shapes: number[][] = []
  try {
    tf.tidy(() => {
      inModel(() => {
        const all = given()
        shapes = floatsIn(all).map((x) => x.shape)
        call(...all)
      })
    })
  } catch {
    return null
  }
  return of(apart(...shapes), (...inputs) =>
    inModel(() => {
      const left = [...inputs]
      return call(...(withFloats(given(), () => left.shift() as tf.Tensor) as unknown[])) as tf.Tensor | tf.Tensor[]
    }),
  )
}

const isFloat = (value: unknown): value is tf.Tensor => value instanceof tf.Tensor && value.dtype === 'float32'

function floatsIn(value: unknown): tf.Tensor[] {
  if (isFloat(value)) return [value]
  if (value instanceof tf.Tensor || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(floatsIn)
}

function withFloats(value: unknown, next: () => tf.Tensor): unknown {
  if (isFloat(value)) return next()
  if (value instanceof tf.Tensor || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => withFloats(each, next))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withFloats(each, next)]))
}

/** Runs code as that of a model in training, with new parameters, which are the same each time. */
export function inModel<Result>(run: () => Result): Result {
  const parameters: Pass['parameters'] = new Map()
  const create = (_: string, shape: number[], fill: () => Float32Array) => tf.variable(tf.tensor(fill(), shape))
  try {
    return runInPass({ parameters, seed: 1, training: true, step: 0, dropPath: 0, grid: undefined, create }, run)
  } finally {
    for (const { variable } of parameters.values()) left.push(variable)
  }
}

const left: tf.Variable[] = []

/** Disposes the parameters of code that ran. */
export function disposeParameters(): void {
  tf.dispose(left.splice(0))
}

/** A case where all values of each input are the same, those of its first entry or a given one. */
export function equalised(each: Case, value?: number): Case {
  const same = (input: Argument): Argument =>
    input.dtype === 'float32'
      ? { ...input, values: (input.values as Float32Array).map((_, __, all) => value ?? (all[0] as number)) }
      : input
  return { ...each, inputs: each.inputs.map(same) }
}
