import { describe, expect, it } from 'vitest'
import { traceSize } from '../../../engine/cost/published.ts'
import { sizes } from '../../../engine/models/sizes.ts'
import { sample } from '../../long.ts'
import { counts } from './counts.ts'

const WITHOUT_HEAD: Record<string, number> = {
  'mixer-s32': 18_591_624,
  'mixer-s16': 18_015_264,
  'mixer-b32': 59_524_428,
  'mixer-b16': 59_111_472,
  'mixer-l32': 205_914_264,
  'mixer-l16': 207_171_168,
  'mixer-h14': 431_069_952,
}

describe('published sizes', () => {
  it('are all in the table', () => {
    expect(Object.keys(sizes).sort()).toEqual(Object.keys(counts).sort())
  })
  it.each(sample(Object.entries(counts)))('%s has the exact counts', async (name, [parameters, gigaMacs]) => {
    const trace = await traceSize(name)
    expect(trace.parameters).toBe(parameters)
    if (gigaMacs) expect(trace.macs / 1e9).toBeCloseTo(gigaMacs, 1)
    if (WITHOUT_HEAD[name]) expect(trace.parametersWithoutHead).toBe(WITHOUT_HEAD[name])
  })
  const published = Object.entries(sizes).filter(([, size]) => size.published !== undefined)
  it.each(published)('%s rounds to the published number, or says why not', (name, { published, note }) => {
    const count = (WITHOUT_HEAD[name] ?? counts[name]?.[0] ?? 0) / 1e6
    if (!note) expect(Math.abs(count - (published ?? 0))).toBeLessThan(Math.max(0.06, 0.01 * count))
  })
  it('have the tensor names and shapes of the references', async () => {
    const shapes = async (name: string) =>
      Object.fromEntries((await traceSize(name)).tensors.map(({ name, shape }) => [name, shape]))
    const gmlp = await shapes('gmlp-s16')
    expect(gmlp['stem.proj.weight']).toEqual([256, 3, 16, 16])
    expect(gmlp['blocks.29.mlp_channels.gate.proj.weight']).toEqual([196, 196])
    expect(gmlp['blocks.29.mlp_channels.fc1.weight']).toEqual([1536, 256])
    expect(gmlp['head.weight']).toEqual([1000, 256])
    const vit = await shapes('deit-ti16')
    expect(vit.pos_embed).toEqual([1, 197, 192])
    expect(vit['blocks.0.attn.qkv.weight']).toEqual([576, 192])
    const resmlp = await shapes('resmlp-s12')
    expect(resmlp['blocks.0.norm1.alpha']).toEqual([1, 1, 384])
    const ffOnly = await shapes('ffonly-l32')
    expect(ffOnly['pos_encoding.pos_embed']).toEqual([1, 1024, 14, 14])
    const bert = await shapes('bert-base')
    expect(bert['bert.encoder.layer.11.attention.self.query.weight']).toEqual([768, 768])
  })
  it('refuse an unknown name', async () => {
    await expect(traceSize('gmlp-s61')).rejects.toThrow("model: unknown model 'gmlp-s61' (did you mean 'gmlp-s16'?)")
  })
})
