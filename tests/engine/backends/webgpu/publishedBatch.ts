import type * as tf from '@tensorflow/tfjs'
import type { PlannedParameter } from '../../../../engine/backends/webgpu/train/plan.ts'
import { recordTwice } from '../../../../engine/compile/compile.ts'
import { recordableCode } from '../../../../engine/compile/model.ts'
import type { RecordedBatch } from '../../../../engine/compile/recordedBatch.ts'
import { PARAMETER } from '../../../../engine/compile/training.ts'
import { modelOfSize } from '../../../../engine/cost/published.ts'
import { create, oneBlank } from '../../../../engine/cost/trace.ts'
import { softmaxCrossEntropy } from '../../../../engine/nn/losses.ts'
import type { Mode } from '../../../../engine/nn/model.ts'
import { runInPass } from '../../../../engine/nn/scope.ts'
import { tracing } from '../../../../engine/trace/backend.ts'
import { gradientCode, type LossOf } from '../../../../engine/train/differentiate.ts'

/** The batches of the papers. */
export const paperBatches: [size: string, batch: number][] = [
  ['gmlp-s16', 4096],
  ['gmlp-b16', 4096],
  ['mixer-b16', 4096],
  ['deit-b16', 1024],
  ['resmlp-b24', 1024],
  ['bert-base', 256],
]

const [EXAMPLES, HALF] = [64, 32]

/** What a training step of a published size does with a batch of more than 64 examples, without making the model. */
export async function publishedBatch(
  name: string,
  all: number,
): Promise<{ recorded: RecordedBatch; trainees: PlannedParameter[] }> {
  const [forward, spec] = modelOfSize(name)
  const { parameters, rows } = await tracing(() => {
    const { parameters, output } = create(forward, oneBlank(spec))
    return { parameters, rows: output.shape.slice(1, -1) }
  })
  const own = [...parameters.values()]
  const trained = own.filter((each) => each.trained)
  const pass = { parameters, seed: 0, training: true, step: 0, dropPath: 0, create: null }
  const apply = (input: tf.Tensor, mode: Mode) => runInPass({ ...pass, ...mode }, () => forward(input))
  const lossOf: LossOf = ({ x, target }, mode) => softmaxCrossEntropy(apply(x as tf.Tensor, mode), target as tf.Tensor)
  const code = recordableCode({ parameters: own }, true, gradientCode({ trained }, lossOf))
  const record = async (count: number) => {
    const graph = await recordTwice(
      {
        x: { shape: [count, ...spec.shape.slice(1)], dtype: spec.dtype ?? 'float32' },
        target: { shape: [count, ...rows], dtype: 'int32' },
        ...Object.fromEntries(own.map(({ name, shape }) => [PARAMETER + name, { shape, dtype: 'float32' as const }])),
      },
      code,
    )
    if (graph instanceof Error) throw graph
    return graph
  }
  const recorded = { graph: await record(EXAMPLES), half: await record(HALF), examples: EXAMPLES, all }
  return { recorded, trainees: own.map((each) => ({ ...each, scale: 1 })) }
}
