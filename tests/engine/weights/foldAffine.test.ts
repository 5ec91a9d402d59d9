import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCase } from '../../../engine/conformance/case.ts'
import { relativeError } from '../../../engine/conformance/check.ts'
import { foldAffine } from '../../../engine/weights/foldAffine.ts'

const read = (name: string) =>
  readCase(readFileSync(new URL(`../../golden/${name}.safetensors`, import.meta.url)), name)
const parameters = (name: string) => [...read(name).below('param.')].map(([name, tensor]) => ({ ...tensor, name }))

describe('foldAffine', () => {
  it('gives the folded weights of the reference', () => {
    const folded = new Map(foldAffine(parameters('resmlp_timm')).map((tensor) => [tensor.name, tensor]))
    const expected = parameters('resmlp_folded')
    expect([...folded.keys()].sort()).toEqual(expected.map(({ name }) => name).sort())
    for (const { name, shape, values } of expected) {
      expect(folded.get(name)?.shape, name).toEqual(shape)
      expect(relativeError(folded.get(name)?.values ?? [], values), name).toBeLessThan(2e-6)
    }
  })
  it('names a tensor that is missing', () => {
    const incomplete = parameters('resmlp_timm').filter(({ name }) => name !== 'blocks.1.norm2.beta')
    expect(() => foldAffine(incomplete)).toThrow("ResMLP: tensor 'blocks.1.norm2.beta' is missing")
  })
})
