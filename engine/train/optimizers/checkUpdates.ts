import * as tf from '@tensorflow/tfjs-core'
import { observingBackend, valuesNow } from '../../compile/observingBackend.ts'
import { keyOf, normal } from '../../random.ts'
import type { RuleCode } from './ruleCode.ts'

/** Gradients that every optimizer has to be able to take: usual ones, and those of what nothing depends on yet. */
const GRADIENTS = { 'a normal gradient': 0.01, 'a gradient of zeros': 0 }
/** Draws of a gradient, which come again in a larger one. */
const DRAWS = 1021

/**
 * Does one update of a parameter of each shape, and forgets it. Throws MixlabError `option` where a shape is wrong, or a
 * value is not finite, with the operation that it comes from and a stack that leads there; on graphics cards without.
 */
export async function checkUpdates(code: RuleCode, learningRate: number, step: number): Promise<void> {
  const kinds = code.parameters.map(({ shape, decay }) => `${decay} ${shape}`)
  for (const [i, { shape }] of code.parameters.entries()) {
    if (kinds.indexOf(kinds[i] as string) !== i) continue
    for (const [what, scale] of Object.entries(GRADIENTS)) {
      const { values, origin } = updateOnce(code, i, { scale, learningRate, step })
      const bad = await firstNotFinite(values)
      tf.dispose(values)
      if (bad === null) continue
      const where = origin ? `: ${origin.message} is the first to give such a value` : ''
      const error = code.failOf(i)(`'${bad}' of a weight [${shape}] is not finite after ${what}${where}`)
      if (origin) error.stack = `${origin.stack}\n${error.stack}`
      throw error
    }
  }
}

/** What one update of parameter `i` gives, and where a value that is not finite comes from, if that can be said. */
function updateOnce(
  { parameters, ownOf, stepOf, update, secondGradient, evaluationWeights }: RuleCode,
  i: number,
  { scale, learningRate, step }: { scale: number; learningRate: number; step: number },
): { values: tf.NamedTensorMap; origin: Error | null } {
  let origin: Error | null = null
  const values = tf.tidy(() => {
    const { variable, shape } = parameters[i] as (typeof parameters)[number]
    const key = keyOf(1, 'optimizer check')
    const draws = Array.from({ length: DRAWS }, (_, at) => scale * normal(key, at))
    const values = Float32Array.from({ length: variable.size }, (_, at) => draws[at % DRAWS] as number)
    const gradient = tf.tensor(values, shape)
    // the norm is of this gradient alone
    const gradients = parameters.map(({ name, variable }, at) => [name, at === i ? gradient : tf.zerosLike(variable)])
    const numbers = stepOf(learningRate, step, Object.fromEntries(gradients))
    let given: tf.NamedTensorMap = {}
    const run = () => {
      const own = ownOf(i, gradient)
      const second = secondGradient?.(i, own, numbers)
      evaluationWeights?.(i, numbers.step) // of the first state they need not be finite
      given = { ...update(i, own, numbers), ...(second && { 'weight of the second gradient': second }) }
    }
    try {
      if (tf.getBackend().startsWith('web')) run()
      else {
        observingBackend(run, ({ kernel, operands, results }) => {
          const used = Object.values(operands).filter((each) => each !== undefined)
          if (origin !== null || used.some(hasNotFinite) || !results.some(hasNotFinite)) return
          origin = new Error(kernel)
        })
      }
    } finally {
      numbers.free()
    }
    return Object.fromEntries(Object.entries(given).map(([name, tensor]) => [name, tf.clone(tensor)]))
  })
  return { values, origin }
}

async function firstNotFinite(tensors: tf.NamedTensorMap): Promise<string | null> {
  for (const [name, tensor] of Object.entries(tensors)) {
    if (tensor.dtype === 'float32' && !(await tensor.data<'float32'>()).every(Number.isFinite)) return name
  }
  return null
}

function hasNotFinite(tensor: tf.TensorInfo): boolean {
  return tensor.dtype === 'float32' && !(valuesNow(tensor) as Float32Array).every(Number.isFinite)
}
