import * as tf from '@tensorflow/tfjs'
import { compact } from '../../engine/compile/program.ts'
import { topK } from '../../engine/evaluate/index.ts'
import { eamlp, external, gmlp, mixer, resmlp, vit } from '../../engine/models/index.ts'
import { assemble } from '../../engine/nn/frame.ts'
import { softmaxCrossEntropy } from '../../engine/nn/losses.ts'
import { createModel } from '../../engine/nn/model.ts'
import { resolveSize } from '../../engine/nn/size.ts'
import { integer, keyOf } from '../../engine/random.ts'
import type { Batch, Task } from '../../engine/tasks/types.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'
import { train } from '../../engine/train/train.ts'

const BLOCKS = [gmlp, mixer, vit, resmlp, external, eamlp]
const PATCH = 4

/** What the heap of `simd` held for a model: bytes at most, and bytes of its memory. */
export interface Held {
  model: string
  need: number
  size: number
}

/**
 * Models of random kinds and sizes, with 16 tokens up to `tokens`: each is made, trained for three steps and disposed, as
 * a run is. On the backend `simd`.
 */
export async function* randomModels(count: number, tokens = 1024): AsyncGenerator<Held> {
  for (let i = 0; i < count; i++) {
    const among = (what: string, below: number) => integer(keyOf(1, `${what}/${i}`), 0, below)
    const of = <T>(what: string, choices: T[]) => choices[among(what, choices.length)] as T
    const side = 4 + among('side', Math.sqrt(tokens) - 3)
    const size = { patch: PATCH, dim: of('dim', [16, 32, 48, 64, 96, 128]), depth: 1 + among('depth', 3), heads: 2 }
    const batch = of('batch', [1, 4, 8, 10, 16, 32])
    const block = of('block', BLOCKS)({})
    const task = imageTask(side * PATCH)
    const model = createModel(
      task.model(block, resolveSize(block, { ...size, ffn: 4 * size.dim }, 'bench')),
      task.input,
      i,
    )
    for await (const event of train({ model, task, recipe: resolveRecipe({ steps: 3, batch }), seed: i })) {
      if (event.type === 'failed') throw new Error(event.message)
    }
    model.dispose()
    const { heapPeakBytes: need, heapSizeBytes: held } = tf.memory() as unknown as Record<string, number>
    const what = `${block.blockName} of ${side ** 2} tokens, ${size.dim} x ${size.depth}, batch ${batch}`
    yield { model: what, need: need as number, size: held as number }
    await compact()
  }
}

/** Grey squares of so many pixels. */
function imageTask(side: number): Task {
  const make = (count: number): Batch =>
    tf.tidy(() => ({ input: tf.ones([count, side, side, 1]), target: tf.zeros([count], 'int32') }))
  return {
    hash: 'grey',
    metric: 'test/accuracy',
    input: { shape: [1, side, side, 1] },
    model: (block, size) => assemble(block, size, 'image', { outputs: 10 }),
    trainBatches: async function* (batch) {
      for (;;) yield make(batch)
    },
    evalBatches: async function* (_, batch) {
      yield make(batch)
    },
    loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
    evaluators: () => [topK('accuracy', 1)],
  }
}
