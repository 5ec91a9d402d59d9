import * as tf from '@tensorflow/tfjs'
import { topK } from '../../../engine/evaluate/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { softmaxCrossEntropy } from '../../../engine/nn/losses.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { integer, keyOf, normal } from '../../../engine/random.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'

/** A task for tests: 8 x 8 grey images, two classes, bright and dark. `poison` is a step whose input is NaN. */
export function toyTask(poison = -1): Task {
  const make = (count: number, name: string, bad = false): Batch => {
    const key = keyOf(1, name)
    const labels = Int32Array.from({ length: count }, (_, i) => integer(key, i, 2))
    const pixels = Float32Array.from({ length: count * 64 }, (_, i) => {
      const bright = labels[Math.floor(i / 64)] === 0
      return bad ? Number.NaN : (bright ? 0.5 : -0.5) + 0.5 * normal(key, 1000 + i)
    })
    return tf.tidy(() => ({ input: tf.tensor4d(pixels, [count, 8, 8, 1]), target: tf.tensor1d(labels, 'int32') }))
  }
  return {
    hash: 'toy',
    metric: 'test/accuracy',
    input: { shape: [1, 8, 8, 1] },
    model: (block, size) => assemble(block, size, 'image', { outputs: 2 }),
    trainBatches: async function* (batch, seed, from) {
      for (let step = from; ; step++) yield make(batch, `train/${seed}/${step}`, step === poison)
    },
    evalBatches: async function* (split, batch, examples = 40) {
      for (let at = 0; at < examples; at += batch) yield make(Math.min(batch, examples - at), `${split}/${at}`)
    },
    loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
    evaluators: () => [topK('accuracy', 1)],
  }
}

export function toyModel(block: Block, seed = 1): Model {
  const task = toyTask()
  return createModel(task.model(block, resolveSize(block, { patch: 4, dim: 8, depth: 2 }, 'toy')), task.input, seed)
}

export async function collect(events: AsyncGenerator<TrainEvent>): Promise<TrainEvent[]> {
  const all: TrainEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The values of one metric, in order. */
export function series(events: TrainEvent[], name: string): number[] {
  return events.flatMap((event) => (event.type === 'metric' && event.name === name ? [event.value] : []))
}
