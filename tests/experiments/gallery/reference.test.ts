import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { checkModel } from '../../../engine/conformance/model.ts'
import { onSimd } from '../../engine/backends/simd/setup.ts'
import { builtOf, caseOf, ideas } from './ideas.ts'

onSimd()

it('every idea has a reference case', () => {
  const cases = globSync('*.safetensors', { cwd: join(import.meta.dirname, '../../golden/ideas') })
  expect(ideas.map(({ name }) => name).sort()).toEqual(cases.map((file) => basename(file, '.safetensors')).sort())
})

it.each(ideas.map((idea) => [idea.name, idea] as const))(
  '%s: output, loss and every gradient are those of PyTorch, to 1e-5 of the largest entry',
  async (name, idea) => {
    const golden = caseOf(name)
    const checks = await checkModel(golden, builtOf(idea, golden))
    expect(checks.filter(({ error }) => !(error <= 1e-5))).toEqual([])
    expect(checks.length).toBe(golden.below('grad.').size + 5)
  },
)
