// `npm run bench:evaluation -- [--rounds N] [--words N] [--examples N]`: the processor time in which a gMLP that predicts
// all tokens of texts is evaluated, one batch of texts of 128 tokens, on one thread: by what the kernels find of each row,
// and, in turns, by reading the logits, as metrics of cells do.
import { parseArgs } from 'node:util'
import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import type { SimdBackend } from '../../engine/backends/simd/backend.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'
import { perplexity, topK } from '../../engine/evaluate/index.ts'
import type { Evaluator } from '../../engine/evaluate/types.ts'
import { gmlp } from '../../engine/models/index.ts'
import { assemble } from '../../engine/nn/frame.ts'
import { maskedCrossEntropy } from '../../engine/nn/losses.ts'
import { createModel, type InputSpec } from '../../engine/nn/model.ts'
import { resolveSize } from '../../engine/nn/size.ts'
import { integer, keyOf } from '../../engine/random.ts'
import type { Task } from '../../engine/tasks/types.ts'
import { createEvaluator } from '../../engine/train/evaluate.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, words: { type: 'string' }, examples: { type: 'string' } },
})
const [rounds, words, examples] = [
  Number(values.rounds ?? 5),
  Number(values.words ?? 4096),
  Number(values.examples ?? 32),
]
const TOKENS = 128

await startBackend('simd', 1)
const block = gmlp({ dim: 128, ffn: 512, depth: 6 })
const input: InputSpec = { shape: [1, TOKENS], dtype: 'int32' }
const model = createModel(
  assemble(block, resolveSize(block, {}, 'bench'), 'text', { inputs: words, outputs: words }),
  input,
  1,
)
const key = keyOf(1, 'evaluation')
const ids = (from: number) => Int32Array.from({ length: examples * TOKENS }, (_, i) => integer(key, from + i, words))

/** The metrics of language models, as they are or reading the logits. */
const metrics = (reads: boolean): Evaluator[] =>
  [perplexity(), topK('accuracy', 1)].map(({ addJudged, ...rest }) => ({
    ...rest,
    ...(!reads && addJudged && { addJudged }),
  }))

function taskWith(reads: boolean): Task {
  return {
    hash: '',
    metric: 'test/perplexity',
    input,
    model: () => model.apply,
    trainBatches: async function* () {},
    evalBatches: async function* () {
      yield {
        input: tf.tensor2d(ids(0), [examples, TOKENS], 'int32'),
        target: tf.tensor2d(ids(2 ** 20), [examples, TOKENS], 'int32'),
        weights: tf.ones([examples, TOKENS]),
      }
    },
    loss: (logits, { target, weights }) => maskedCrossEntropy(logits, target as tf.Tensor, weights as tf.Tensor),
    evaluators: () => metrics(reads),
  } as Task
}

const evaluators = [false, true].map((reads) => createEvaluator(model, taskWith(reads)))
const durations: number[][] = evaluators.map(() => [])
const found: number[][] = []
for (let round = -2; round < rounds; round++) {
  for (const [i, evaluator] of evaluators.entries()) {
    const before = process.threadCpuUsage()
    const result = await evaluator.validate(undefined, async () => {})
    const { user, system } = process.threadCpuUsage(before)
    if (round >= 0) durations[i]?.push((user + system) / 1000)
    found[i] = ['loss', 'perplexity', 'accuracy'].map(
      (name) => result.metrics.get(`validation/${name}`)?.value ?? Number.NaN,
    )
  }
}
for (const [i, name] of ['found in the kernel', 'logits read'].entries()) {
  const [median, least] = medianAndLeast(durations[i] ?? []).map((ms) => ms.toFixed(0))
  console.log(`${name}: ${median} ms [${least}], loss, perplexity, accuracy ${found[i]?.join(', ')}`)
}
const ratios = (durations[0] ?? []).map((ms, i) => ms / (durations[1]?.[i] ?? 0))
console.log(
  `ratio ${medianAndLeast(ratios)[0].toFixed(3)}; ${((tf.backend() as SimdBackend).memory().heapPeakBytes / 2 ** 20).toFixed(0)} MiB`,
)
process.exit(0)
