import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import type { WebGpuBackend } from '../../engine/backends/webgpu/backend.ts'
import { recordTwice } from '../../engine/compile/compile.ts'
import { GRADIENT, LOSS, PARAMETER, type Update } from '../../engine/compile/training.ts'
import { readCase } from '../../engine/conformance/case.ts'
import { relativeError, tolerances } from '../../engine/conformance/check.ts'

const CASES: Record<
  string,
  (number: (name: string, otherwise?: number) => number) => Pick<Update, 'kernel' | 'options'>
> = {
  optim_adamw: (number) => ({
    kernel: 'AdamWUpdate',
    options: { ...adam(), eps: number('eps'), weightDecay: number('weight_decay', 0) },
  }),
  optim_lamb: (number) => ({
    kernel: 'LambUpdate',
    options: {
      ...adam(),
      eps: number('eps'),
      weightDecay: number('weight_decay', 0),
      maxGradNorm: number('max_grad_norm', 0),
    },
  }),
  optim_sgd_momentum: (number) => sgd(number, false),
  optim_sgd_nesterov: (number) => sgd(number, true),
}

const adam = () => ({ beta1: 0.9, beta2: 0.999 })
const sgd = (number: (name: string, otherwise?: number) => number, nesterov: boolean) =>
  ({
    kernel: 'SgdUpdate',
    options: { momentum: number('momentum', 0), nesterov, weightDecay: number('weight_decay', 0) },
  }) as const

/** The optimizer cases through the update on the card: parameters and state after every step. */
export async function optimizers(): Promise<string[]> {
  await startBackend('webgpu')
  const lines: string[] = []
  for (const [name, updateOf] of Object.entries(CASES)) {
    const golden = readCase(readFileSync(join(import.meta.dirname, `../golden/${name}.safetensors`)), name)
    const slots = name.startsWith('optim_sgd') ? ['momentum_buffer'] : ['exp_avg', 'exp_avg_sq']
    const decayed = golden.config.texts('decayed', [])
    const update: Update = {
      ...updateOf((key, other) => golden.config.number(key, other)),
      clip: 0,
      average: null,
      parts: 1,
    }
    const trainees = [...golden.below('param.')].map(([key, { shape, values }]) => ({
      name: key,
      variable: tf.variable(tf.tensor(Float32Array.from(values), shape)),
      memory: slots.map(() => tf.variable(tf.zeros(shape), false)),
      average: null,
      trained: true,
      decay: decayed.includes(key),
      scale: 1,
    }))
    const names = trainees.map((each) => each.name)
    const inputs = Object.fromEntries(
      trainees.flatMap(({ name: key, variable }) => [
        [key, variable],
        [PARAMETER + key, variable],
      ]),
    )
    // the loss is the sum of parameters times given gradients
    const graph = await recordTwice(inputs, (given) => ({
      [LOSS]: tf.addN(names.map((key) => tf.sum(tf.mul(given[key] as tf.Tensor, given[PARAMETER + key] as tf.Tensor)))),
      ...Object.fromEntries(names.map((key) => [GRADIENT + key, tf.clone(given[key] as tf.Tensor)])),
    }))
    if (graph instanceof Error) throw graph
    const program = (tf.backend() as WebGpuBackend).createTraining(
      [{ recorded: { graph, examples: 1, all: 1 }, trainees }],
      update,
    )
    if (!program) throw new Error('is not recorded')
    await program.ready()
    let worst = 0
    for (const [i, learningRate] of [...golden.tensor('lr').values].entries()) {
      const step = `step${i + 1}`
      const batch = Object.fromEntries(
        names.map((key) => {
          const { shape, values } = golden.tensor(`${step}.grad.${key}`)
          return [key, tf.tensor(Float32Array.from(values), shape)]
        }),
      )
      await program.run([{ batch, step: i, update: i + 1, learningRate }])
      program.settle(0)
      tf.dispose(batch)
      for (const { name: key, variable, memory } of trainees) {
        const tensors = [
          [`${step}.param.${key}`, variable] as const,
          ...slots.map((slot, k) => [`${step}.state.${slot}.${key}`, memory[k] as tf.Variable] as const),
        ]
        for (const [tensor, own] of tensors) {
          const error = relativeError(await own.data(), golden.tensor(tensor).values)
          worst = Math.max(worst, error)
          if (!(error <= tolerances.step)) lines.push(`FAILED ${name}: ${tensor} ${error.toExponential(1)}`)
        }
      }
    }
    lines.push(`holds ${name}, ${worst.toExponential(1)} of ${tolerances.step}`)
    program.dispose()
    tf.dispose(trainees.flatMap(({ variable, memory }) => [variable, ...memory]))
  }
  return lines
}
