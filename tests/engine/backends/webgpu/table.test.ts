import { expect, it } from 'vitest'
import { lowered, planOf } from '../../../../engine/backends/webgpu/plan.ts'
import { recordTwice } from '../../../../engine/compile/compile.ts'
import { registerGradients } from '../../../../engine/gradients/register.ts'
import { LONG, sample } from '../../../long.ts'
import { codeOf, recordable } from '../../gradients/code.ts'
import { table } from '../../gradients/table.ts'
import { expectGoodPlan } from './goodPlan.ts'

/** A model with one of these runs operation by operation. */
const WITHOUT = ['sparseToDense', 'localResponseNormalization']

it('every differentiable operation, and its gradients, has shaders, but two', async () => {
  registerGradients()
  const without: string[] = []
  const checked = new Set(sample(Object.keys(table)))
  for (const [name, cases] of Object.entries(table)) {
    // the first in one way each; all ways where tests are done in full
    for (const each of recordable(name, cases, LONG ? 1 : cases.length)) {
      const given = Object.fromEntries(each.inputs.entries())
      const graph = await recordTwice(given, codeOf(each))
      if (graph instanceof Error) throw graph
      try {
        const plan = planOf(lowered(graph))
        if (checked.has(name)) await expectGoodPlan(plan)
      } catch (error) {
        expect(`${error}`, name).toContain('for which there is no shader')
        without.push(name)
      }
    }
  }
  expect(without).toEqual(WITHOUT)
})
