import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { type Configuration, configurations } from '../../../engine/bench/configurations.ts'
import { prepare } from '../../../engine/bench/step.ts'
import { stepBytes } from '../../../engine/cost/stepBytes.ts'
import { eamlp, gmlp, mixer, resmlp, vit } from '../../../engine/models/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import type { InputSpec } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { LONG, sample } from '../../long.ts'
import { leaveSimd, useThreads } from '../compile/setup.ts'

leaveSimd()

const image = { modality: 'image', input: [32, 32, 3], outputs: 10 } as const
const small = { patch: 4, dim: 32, depth: 2 }

const cases: Configuration[] = [
  ...(LONG ? configurations : configurations.slice(0, 5)).map((each) => ({ ...each, batch: 8 })),
  { name: 'mixer', ...image, block: mixer(small), batch: 1 },
  { name: 'gmlp, odd batch', ...image, block: gmlp({ ...small, dropPath: 0.1 }), batch: 7 },
  { name: 'vit', ...image, block: vit({ ...small, patch: 2, heads: 2 }), batch: 16 },
  { name: 'resmlp', ...image, block: resmlp({ ...small, patch: 16, dim: 256 }), batch: 16 },
  { name: 'eamlp', ...image, block: eamlp({ ...small, patch: 16 }), batch: 4 },
]

/** By how much the prediction may be off, either way. */
const FACTOR = 1.2

describe('what a training step needs, told before it runs', () => {
  it.each(sample(cases, 0, 2))('is what the heap measures: $name', async (configuration) => {
    const { name, block, modality, input, outputs, batch } = configuration
    const forward = assemble(block, resolveSize(block, {}, name), modality, { inputs: outputs, outputs })
    const spec: InputSpec = { shape: [1, ...input], dtype: modality === 'text' ? 'int32' : 'float32' }
    const tensors = tf.memory().numTensors
    const told = await stepBytes(forward, spec, batch, 2)
    expect(tf.memory().numTensors).toBe(tensors)

    const backend = await useThreads(2)
    const { train, dispose } = prepare(configuration)
    for (let step = 0; step < 2; step++) await train()
    const measured = backend.memory().heapPeakBytes
    dispose()
    expect(told / measured, `${told} told, ${measured} measured`).toBeGreaterThan(1 / FACTOR)
    expect(told / measured, `${told} told, ${measured} measured`).toBeLessThan(FACTOR)
  })
})
