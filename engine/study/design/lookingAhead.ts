import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { createModel } from '../../nn/model.ts'
import { keyOf, normal } from '../../random.ts'
import type { OpenVariant } from '../opened.ts'

/** What rounding may change of a logit, as a share of the largest one. */
const ROUNDING = 1e-4

/**
 * Why a model cannot learn a task that forbids to look ahead: what it says to a token changes with later ones, as two texts
 * say that differ from the middle on. Null where it does not, or the task has no order. The weights are drawn for this, since
 * those of the start may be 0.
 */
export async function lookingAhead({
  block,
  size,
  opened,
}: Pick<OpenVariant, 'block' | 'size' | 'opened'>): Promise<MixlabError | null> {
  if (!opened.causal) return null
  const tokens = opened.input.shape[1] as number
  const model = createModel(opened.model(block, size), opened.input, 1)
  try {
    for (const { name, variable, shape } of model.parameters) {
      const key = keyOf(1, `causal/${name}`)
      const noise = Float32Array.from({ length: tf.util.sizeFromShape(shape) }, (_, i) => 0.1 * normal(key, i))
      tf.tidy(() => variable.assign(tf.add(variable, tf.tensor(noise, shape))))
    }
    const middle = tokens >> 1
    const logitsOf = async (later: number) => {
      const ids = Int32Array.from({ length: tokens }, (_, at) => (at < middle ? 1 + (at % 3) : later))
      const logits = tf.tidy(() => model.apply(tf.tensor2d(ids, [1, tokens], 'int32')))
      const values = (await logits.data()) as Float32Array
      logits.dispose()
      return values
    }
    const [one, other] = [await logitsOf(2), await logitsOf(4)]
    const width = one.length / tokens
    const largest = one.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const isOther = (value: number, i: number) => Math.abs(value - (other[i] as number)) > ROUNDING * largest
    const at = one.subarray(0, middle * width).findIndex(isOther)
    if (at === -1) return null
    const what = `what it predicts at token ${Math.floor(at / width) + 1} depends on tokens from ${middle + 1} on`
    const how = 'a causal language model sees those before it alone, e.g. gmlp({ causal: true })'
    return new MixlabError('option', `block '${block.blockName}'`, `looks ahead: ${what}; ${how}`)
  } finally {
    model.dispose()
  }
}
