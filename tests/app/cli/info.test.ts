import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { mixlab } from './recorder.ts'

describe('mixlab info', () => {
  it('prints layers, equal blocks as one, and totals', async () => {
    const { code, out } = await mixlab(['info', 'gmlp-s16'])
    expect(code).toBe(0)
    const text = out.map((line) => line.replace(/\s+/g, ' '))
    expect(text[0]).toBe('layer output parameters multiply-adds')
    expect(text).toContain('stem.proj 1 x 196 x 256 196,864 38,535,168')
    expect(text).toContain('blocks.0 .. blocks.29 (x30) 1 x 196 x 256 632,276 145,108,992')
    expect(text).toContain(' mlp_channels.gate 1 x 196 x 768 40,148 29,503,488')
    expect(out.some((line) => line.startsWith('    proj '))).toBe(true)
    expect(out.some((line) => line.includes('residual'))).toBe(false)
    expect(text).toContain('head 1 x 1000 257,000 256,000')
    expect(text).toContain('parameters 19,422,656, without the head 19,165,656')
    expect(text.some((line) => /^activations [\d,.]+ MB forward, [\d,.]+ MB forward and backward$/.test(line))).toBe(
      true,
    )
    expect(text.some((line) => /^dispatches [\d,]+ forward, [\d,]+ in a training step with AdamW$/.test(line))).toBe(
      true,
    )
    expect(text.some((line) => line.startsWith('published 19.5 M parameters; the paper'))).toBe(true)
  })
  it('prints JSON', async () => {
    const { code, out } = await mixlab(['info', 'mixer-s32', '--json'])
    expect(code).toBe(0)
    const found = JSON.parse(out.join('\n'))
    expect(Object.keys(found)).toEqual([
      ...['model', 'parameters', 'macs', 'tensors', 'parametersWithoutHead', 'layers', 'activationBytes'],
      ...['trainingBytes', 'dispatches', 'trainingDispatches', 'batch', 'stepBytes'],
    ])
    expect(found).toMatchObject({ model: 'mixer-s32', parameters: 19_104_624, parametersWithoutHead: 18_591_624 })
    expect(found.tensors[0]).toEqual({ name: 'stem.proj.weight', shape: [512, 3, 32, 32] })
    expect(Object.keys(found.layers[0])).toEqual(['name', 'depth', 'parameters', 'macs', 'outputShape'])
    expect(found.trainingBytes).toBeGreaterThan(found.activationBytes)
  })
  it('prints the tensors of a file of weights, and what of it is left out', async () => {
    const { code, out } = await mixlab(['info', 'tests/golden/torch/wrapped.pt'])
    expect([code, out.map((line) => line.replace(/\s+/g, ' ').trim())]).toEqual([
      0,
      [
        'tensor shape values',
        'weight 2 x 3 6',
        'bias 2 2',
        '',
        'tests/golden/torch/wrapped.pt: 2 tensors, 8 values',
        "left out of the file: 'optimizer' (6 tensors), 'rng' (1 tensor), 'history' (1 tensor), 'epoch', 'best', 'args'",
      ],
    ])
    const json = await mixlab(['info', 'tests/golden/torch/wrapped.pt', '--json'])
    expect(JSON.parse(json.out[0] ?? '')).toMatchObject({ values: 8, tensors: [{ name: 'weight', shape: [2, 3] }, {}] })
    expect((await mixlab(['info', 'none.pth'])).err[0]).toBe('mixlab: none.pth: no such file')
  })
  it('tells what a training step needs, and what to do where there is not so much', async () => {
    const step = async (...words: string[]) => {
      const { out } = await mixlab(['info', ...words])
      return out.find((line) => line.startsWith('training step'))?.replace(/\s+/g, ' ')
    }
    expect(await step('mixer-s32')).toMatch(/^training step 6\d\d\.\d MB in batches of 64, with AdamW on simd$/)
    expect(await step('mixer-s32', '--batch', '1')).toMatch(/^training step 3\d\d\.\d MB in batches of 1, with/)
    expect(await step('mixer-s32', '--batch', '1024')).toMatch(
      /on simd; it has 4,295\.0 MB at most, so take fewer, or parts \(train\.accumulate\)$/,
    )
    expect(await step('resnet20')).toMatch(/^training step [\d,.]+ MB in batches of 64/)
  })
  it('counts text models, which read token ids', async () => {
    const { out } = await mixlab(['info', 'gmlp-text-18', '--json'])
    expect(JSON.parse(out.join('\n'))).toMatchObject({ parameters: 58_997_486, parametersWithoutHead: 58_997_486 })
  })
  it('takes patches that are not square', async () => {
    const { out } = await mixlab(['info', 'gmlp-s16', '--patch', '32x8'])
    const text = out.map((line) => line.replace(/\s+/g, ' '))
    expect(text).toContain('stem.proj 1 x 196 x 256 196,864 38,535,168') // 7 x 28 patches of as many pixels
    expect(text.some((line) => line.startsWith('published'))).toBe(false)
    const { tensors } = JSON.parse((await mixlab(['info', 'gmlp-s16', '--patch', '32x8', '--json'])).out.join('\n'))
    expect(tensors[0]).toEqual({ name: 'stem.proj.weight', shape: [256, 3, 32, 8] })
  })
  it.each([
    ['gmlp-s16', '16x9', 'model.patch: [16,9] does not divide the image, 224 x 224'],
    ['gmlp-s16', '0', 'model.patch: 0 does not divide the image, 224 x 224'],
    ['gmlp-s16', '0x4', 'model.patch: [0,4] does not divide the image, 224 x 224'],
    ['gmlp-s16', 'a', "--patch: 'a', expected a whole number, or two as in 16x8"],
    ['bert-base', '16', "patch: 'bert-base' is not made of patches"],
  ])('refuses %s with patches %s', async (model, patch, message) => {
    const { code, err } = await mixlab(['info', model, '--patch', patch])
    expect([code, err]).toEqual([1, [`mixlab: ${message}`]])
  })
  it('leaves the backend as it was', async () => {
    await mixlab(['info', 'gmlp-ti16'])
    expect(tf.getBackend()).toBe('cpu')
  })
  it.each([
    ['gmlp-s61', "unknown model 'gmlp-s61' (did you mean 'gmlp-s16'?)"],
    ['toString', "unknown model 'toString'"],
    ['', "unknown model ''"],
  ])('refuses %j', async (name, message) => {
    const { code, err } = await mixlab(['info', name])
    expect([code, err[0]]).toEqual([1, expect.stringContaining(`mixlab: model: ${message}`)])
  })
})
