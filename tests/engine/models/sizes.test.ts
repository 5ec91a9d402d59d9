import { describe, expect, it } from 'vitest'
import { traceSize } from '../../../engine/cost/published.ts'
import { sizes } from '../../../engine/models/sizes.ts'

// Exact parameters, and multiply-adds in G where the papers or timm give them (224 pixels, 1000 classes).
const expected: Record<string, [parameters: number, gigaMacs?: number]> = {
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
  'resmlp-s12': [15_350_872, 3.01],
  'resmlp-s24': [30_020_680, 5.96],
  'resmlp-s36': [44_690_488, 8.91],
  'resmlp-b24': [115_736_776, 23.02],
  'resmlp-b24-8': [129_138_280, 100.23],
  'resmlp-s12-14': [15_607_912],
  'resmlp-s12-8': [22_051_624],
  'ffonly-ti16': [7_676_332, 1.44],
  'ffonly-b16': [61_943_020, 14.13],
  'ffonly-l32': [206_363_576, 10.72],
  'eamlp-7': [6_096_206],
  'eamlp-14': [29_801_422],
  'eamlp-19': [54_470_798],
  'deit-ti16': [5_717_416, 1.25],
  'deit-s16': [22_050_664, 4.6],
  'deit-b16': [86_567_656, 17.56],
  'vit-b32': [88_224_232, 4.41],
  'vit-l16': [304_326_632, 61.56],
  'vit-l32': [306_535_400, 15.38],
  'gmlp-text-18': [58_997_486],
  'gmlp-text-36': [101_609_948],
  'gmlp-text-72': [186_834_872],
  'gmlp-text-144': [357_284_720],
  'gmlp-text-base': [130_073_552],
  'gmlp-text-large': [365_274_528],
  'gmlp-text-xlarge': [940_582_768],
  'amlp-base': [108_791_516],
  'amlp-large': [315_627_960],
  'gmlp-text-linear': [92_172_764],
  'gmlp-text-additive': [92_172_764],
  'gmlp-text-multiplicative': [92_172_764],
  'gmlp-text-split': [101_609_948],
  'bert-base': [110_025_216],
  'bert-large': [335_603_712],
  'bert-relpos': [109_730_304 + 12 * 12 * 32],
  'bert-relpos-noattn': [95_556_096 + 12 * 12 * 32],
  'transformer-6+6': [67_203_072],
  'transformer-12+12': [109_730_304],
  'transformer-24+24': [194_784_768],
  'transformer-48+48': [364_893_696],
  'transformer-24x512': [92_107_776],
  'transformer-48x384': [97_512_192],
  'transformer-96x256': [84_042_240],
  resnet20: [269_722],
}

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
    expect(Object.keys(sizes).sort()).toEqual(Object.keys(expected).sort())
  })
  it.each(Object.entries(expected))('%s has the exact counts', async (name, [parameters, gigaMacs]) => {
    const trace = await traceSize(name)
    expect(trace.parameters).toBe(parameters)
    if (gigaMacs) expect(trace.macs / 1e9).toBeCloseTo(gigaMacs, 1)
    if (WITHOUT_HEAD[name]) expect(trace.parametersWithoutHead).toBe(WITHOUT_HEAD[name])
  })
  it.each(Object.entries(sizes))('%s rounds to the published number, or says why not', (name, { published, note }) => {
    const count = (WITHOUT_HEAD[name] ?? expected[name]?.[0] ?? 0) / 1e6
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
