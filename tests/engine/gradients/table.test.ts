import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { COVERED } from '../../../engine/gradients/covered.ts'
import { registerGradients } from '../../../engine/gradients/register.ts'
import { type Case, ops } from './cases.ts'
import { constant, machinery, refused, synonyms, table } from './table.ts'

beforeAll(registerGradients)

const SPACES = ['image', 'linalg', 'losses', 'math', 'signal', 'sparse', 'spectral'] as const
/** Gradients of whole numbers, of complex ones, and of operations that are refused. */
const UNREACHED = ['ComplexAbs', 'MaxPool3D', 'OneHot']

describe('the table of differentiable operations', () => {
  it('knows all that tfjs exports', () => {
    const functions = Object.entries(tf).filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
    const spaced = SPACES.flatMap((space) => Object.keys(ops[space]))
    const fused = Object.keys(tf.fused).map((name) => `fused${name[0]?.toUpperCase()}${name.slice(1)}`)
    const known = new Set([...Object.keys(table), ...Object.keys(synonyms), ...refused, ...constant, ...machinery])
    const exported = [...functions.map(([name]) => name), ...spaced, ...fused]
    expect(exported.filter((name) => !known.has(name))).toEqual([])
    expect([...known].filter((name) => !exported.includes(name))).toEqual([])
  })

  it('reaches every gradient', () => {
    const seen = new Set<string>()
    const gradients = tf.getKernelsForBackend('cpu').flatMap(({ kernelName }) => tf.getGradient(kernelName) ?? [])
    const register = (watched: tf.GradConfig[]) => {
      for (const gradient of watched) tf.registerGradient(gradient)
    }
    register(
      gradients.map(({ gradFunc, ...gradient }) => ({
        ...gradient,
        gradFunc: (...given) => {
          seen.add(gradient.kernelName)
          return gradFunc(...given)
        },
      })),
    )
    try {
      for (const [first] of Object.values(table)) tf.tidy(() => first && differentiate(first))
    } finally {
      register(gradients)
    }
    expect(gradients.map(({ kernelName }) => kernelName).filter((name) => !seen.has(name))).toEqual(UNREACHED)
    expect([...COVERED].toSorted()).toEqual([...seen].toSorted())
  })
})

function differentiate({ inputs, run }: Case): void {
  const given = inputs.map(({ values, shape, dtype }) => tf.tensor(values as tf.TypedArray, shape, dtype))
  const floats = given.filter(({ dtype }) => dtype === 'float32')
  const sum = () => tf.addN([run(...given)].flat().map((each) => tf.sum(tf.cast(each, 'float32')))) as tf.Scalar
  if (floats.length > 0) tf.engine().gradients(sum, floats, undefined, true)
}
