import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { lowered, planOf } from '../../../../engine/backends/webgpu/plan.ts'
import type { Graph } from '../../../../engine/compile/graph.ts'
import { type Code, recordGraph, type Spec } from '../../../../engine/compile/record.ts'
import { messageOf } from '../../../../engine/errors.ts'
import { registerGradients } from '../../../../engine/gradients/register.ts'
import { gmlp } from '../../../../engine/models/index.ts'
import { fusedRules, rules } from '../../../../engine/trace/kernels.ts'
import { LONG, sample } from '../../../long.ts'
import { codeOf, withGradients } from '../../gradients/code.ts'
import { table } from '../../gradients/table.ts'
import { differentiable, draws, type Operation, plain } from '../../trace/operations.ts'
import { expectGoodPlan } from './goodPlan.ts'
import { trainingGraph } from './graphs.ts'

/** Kernels that can be recorded and have no shader: a model with one runs operation by operation. None has a gradient. */
const WITHOUT = [
  ...['RotateWithOffset', 'Multinomial', 'Transform', 'CropAndResize'],
  ...['Complex', 'FFT', 'IFFT', 'ComplexAbs', 'Imag', 'Real'],
]

/** Kernels of which a training step records nothing: the values stay where they are, or only evaluation on simd has it. */
const UNRECORDED = ['Identity', 'Reshape', 'ExpandDims', 'LabelRank']

/** The code of an operation, whose floats are its inputs. */
function inputsOf(operation: Operation, name: string): { specs: Record<string, Spec>; code: Code } {
  const specs: Record<string, Spec> = {}
  const run = (floats: (draw: tf.Tensor, i: number) => tf.Tensor) => {
    const draw = draws(name)
    let next = 0
    return [operation({ ...draw, floats: (shape) => floats(draw.floats(shape), next++) })].flat()
  }
  tf.tidy(
    () =>
      void run((drawn, i) => {
        specs[i] = { shape: drawn.shape, dtype: drawn.dtype }
        return drawn
      }),
  )
  return { specs, code: (given) => Object.fromEntries(run((_, i) => given[i] as tf.Tensor).entries()) }
}

it('every operation that can be recorded, and its gradients, has shaders, but those that are listed', async () => {
  registerGradients()
  const [recorded, planned] = [new Set<string>(), new Set<string>()]
  const others = { ...differentiable, ...plain }
  const checked = new Set([...sample(Object.keys(table)), ...sample(Object.keys(others), 1)])
  const plan = async (name: string, graph: Graph) => {
    const kernels = graph.operations.map(({ kernel }) => kernel)
    for (const kernel of kernels) recorded.add(kernel)
    const plan = planOf(lowered(graph))
    if (checked.has(name)) await expectGoodPlan(plan)
    for (const kernel of kernels) planned.add(kernel)
  }
  for (const [name, cases] of Object.entries(table)) {
    // the first in one way each; all ways where tests are done in full
    for (const each of withGradients(cases, LONG ? 1 : cases.length)) {
      await plan(name, await recordGraph(Object.fromEntries(each.inputs.entries()), codeOf(each)))
    }
  }
  for (const [name, operation] of Object.entries(others)) {
    const { specs, code } = inputsOf(operation, name)
    const failed = await plan(name, await recordGraph(specs, code)).catch(messageOf)
    expect(failed ?? 'for which there is no shader', name).toContain('for which there is no shader')
  }
  const sizes = { options: { patch: 4, dim: 4, depth: 1 }, input: [8, 8, 1], outputs: 3, batch: 2 }
  await plan('gmlp', (await trainingGraph(gmlp, 'image', sizes)).recorded.graph)
  const all = Object.keys({ ...rules, ...fusedRules })
  expect(all.filter((kernel) => !recorded.has(kernel))).toEqual(UNRECORDED)
  expect(all.filter((kernel) => recorded.has(kernel) && !planned.has(kernel))).toEqual(WITHOUT)
})
