import { describe, expect, it } from 'vitest'
import { traceSize } from '../../../engine/models/published.ts'
import { sizes } from '../../../engine/models/sizes.ts'

// Parameters as in timm, with the 1000-way head; multiply-adds in G.
const published: Record<string, [number, number]> = {
  'gmlp-ti16': [5_867_328, 1.329],
  'gmlp-s16': [19_422_656, 4.392],
  'gmlp-b16': [73_075_392, 15.72],
  'mixer-s32': [19_104_624, 1.0],
  'mixer-s16': [18_528_264, 3.78],
  'mixer-b32': [60_293_428, 3.24],
  'mixer-b16': [59_880_472, 12.6],
  'mixer-l32': [206_939_264, 11.25],
  'mixer-l16': [208_196_168, 44.55],
  'mixer-h14': [432_350_952, 120.99],
}

describe('published sizes', () => {
  it('are all in the table', () => {
    expect(Object.keys(sizes)).toEqual(Object.keys(published))
  })
  it.each(Object.entries(published))('%s has the published counts', async (name, [parameters, gigaMacs]) => {
    const trace = await traceSize(name)
    expect(trace.parameters).toBe(parameters)
    expect(trace.macs / 1e9).toBeCloseTo(gigaMacs, 1)
  })
  it('have the tensor names and shapes of timm', async () => {
    const { tensors } = await traceSize('gmlp-s16')
    const shapes = Object.fromEntries(tensors.map(({ name, shape }) => [name, shape]))
    expect(shapes['stem.proj.weight']).toEqual([256, 3, 16, 16])
    expect(shapes['blocks.29.mlp_channels.gate.proj.weight']).toEqual([196, 196])
    expect(shapes['blocks.29.mlp_channels.fc1.weight']).toEqual([1536, 256])
    expect(shapes['head.weight']).toEqual([1000, 256])
  })
  it('refuse an unknown name', async () => {
    await expect(traceSize('gmlp-s61')).rejects.toThrow("model: unknown model 'gmlp-s61' (did you mean 'gmlp-s16'?)")
  })
})
