import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCase } from '../../../engine/conformance/case.ts'
import { relativeError } from '../../../engine/conformance/check.ts'
import { foldRepmlp, injectLocality } from '../../../engine/weights/localityInjection.ts'

const read = (name: string) =>
  readCase(readFileSync(new URL(`../../golden/${name}.safetensors`, import.meta.url)), name)
const parameters = (name: string) => [...read(name).below('param.')].map(([name, tensor]) => ({ ...tensor, name }))
const gridOf = (name: string): [number, number] => (name.startsWith('stages.0.') ? [8, 8] : [4, 4])

describe('foldRepmlp', () => {
  it('gives the folded weights of the reference', () => {
    const folded = new Map(foldRepmlp(parameters('repmlp'), gridOf).map((tensor) => [tensor.name, tensor]))
    const expected = parameters('repmlp_folded')
    expect([...folded.keys()].sort()).toEqual(expected.map(({ name }) => name).sort())
    for (const { name, shape, values } of expected) {
      expect(folded.get(name)?.shape, name).toEqual(shape)
      expect(relativeError(folded.get(name)?.values ?? [], values), name).toBeLessThan(2e-6)
    }
  })
  it('names a tensor that is missing', () => {
    const without = (name: string) => parameters('repmlp').filter((tensor) => tensor.name !== name)
    const norm = 'stages.1.0.repmlp_block.fc3_bn'
    const why = 'a BatchNorm without running statistics cannot be folded'
    expect(() => foldRepmlp(without(`${norm}.running_var`), gridOf)).toThrow(
      `RepMLP: tensor '${norm}.running_var' is missing; ${why}`,
    )
    expect(() => foldRepmlp(without(`${norm}.bias`), gridOf)).toThrow(`RepMLP: tensor '${norm}.bias' is missing`)
  })
  it('refuses what is folded already', () => {
    expect(() => foldRepmlp(parameters('repmlp_folded'), gridOf)).toThrow('has no block with a BatchNorm to fold')
  })
})

describe('injectLocality', () => {
  it('writes a kernel as the answers to single pixels, with zeros around the map', () => {
    const kernel = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    const matrices = { weight: new Float32Array(16), bias: [1, 0, 0, 0] }
    const convolution = { kernel, sides: [3, 3], scaling: { scale: [2], shift: [0.5] } } as const
    const { weight, bias } = injectLocality([2, 2], 1, matrices, [convolution])
    expect([...weight]).toEqual([5, 6, 8, 9, 4, 5, 7, 8, 2, 3, 5, 6, 1, 2, 4, 5].map((tap) => 2 * tap))
    expect([...bias]).toEqual([1.5, 0.5, 0.5, 0.5])
  })
  it('scales the matrix of each set, and not the convolution, by the norm behind the matrix', () => {
    const matrices = { weight: [1, 2], bias: [1, 1], scaling: { scale: [10, 100], shift: [1, 2] } }
    const convolution = { kernel: [0.5, 0.25], sides: [1, 1] } as const
    const { weight, bias } = injectLocality([1, 1], 2, matrices, [convolution])
    expect([...weight]).toEqual([10.5, 200.25])
    expect([...bias]).toEqual([11, 102])
  })
  it('refuses a kernel without a middle', () => {
    const even = { kernel: [1, 1], sides: [2, 1] } as const
    expect(() => injectLocality([2, 2], 1, { weight: new Float32Array(16) }, [even])).toThrow(
      'kernel: 2 x 1, expected odd sides, which have a middle',
    )
  })
})
