import { readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { readCase } from '../../../engine/conformance/case.ts'
import { relativeError } from '../../../engine/conformance/check.ts'
import { checkConformance } from '../../../engine/conformance/index.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { sample } from '../../long.ts'
import { compute, wanted, writeCase } from './float64/cases.ts'
import { erf } from './float64/layers.ts'
import { leaf } from './float64/tape.ts'

const golden = (name: string) => {
  return readCase(readFileSync(new URL(`../../golden/${name}.safetensors`, import.meta.url)), name)
}

describe('the models in float64', () => {
  const cases = [
    ...['gmlp_timm', 'gmlp_timm_small', 'gmlp_linear', 'gmlp_additive', 'gmlp_multiplicative', 'gmlp_split'],
    ...['gmlp_text', 'gmlp_text_additive', 'amlp_text', 'amlp_vision', 'mixer_timm', 'mixer_timm_small', 'resmlp_timm'],
    ...['ff_only', 'ff_only_small', 'vit_timm', 'vit_timm_small', 'eamlp', 'bert', 'bert_small', 'bert_padding'],
    ...['bert_relative', 'bert_relative_only'],
  ]
  it.each(sample(cases, 0, 2))('agree with PyTorch: %s', (name) => {
    const { metadata, tensor, has, below } = golden(name)
    const { shape, values } = tensor(has('tokens') ? 'tokens' : 'input')
    const optional = (each: string) => (has(each) ? tensor(each).values : null)
    const input = { x: leaf(shape, values), types: optional('token_type_ids'), mask: optional('attention_mask') }
    const config = JSON.parse(metadata.config ?? '')
    const given = (each: string) => tensor(`param.${each}`).values
    const found = compute(metadata.builder ?? '', config, given, input, tensor('target').values, optional('loss_mask'))
    expect([...found.parameters.keys()].sort()).toEqual([...below('param.').keys()].sort())
    const rounding = 1.2e-7 // of float32, in which the numbers are stored
    expect(relativeError(found.logits.values, tensor('output').values)).toBeLessThan(rounding)
    expect(relativeError(found.loss.values, tensor('loss').values)).toBeLessThan(rounding)
    const zero = JSON.parse(metadata.zero_gradient ?? '[]') as string[]
    for (const [each, { values }] of below('grad.')) {
      if (zero.includes(each)) continue
      expect([each, relativeError(found.parameters.get(each)?.grad ?? [], values) < rounding]).toEqual([each, true])
    }
  })
  it('know the error function', () => {
    const known = [0.1124629160182849, 0.5204998778130465, 0.8427007929497149, 0.9953222650189527, 0.9999779095030014]
    expect(
      [0.1, 0.5, 1, 2, 3].map(erf).map((value, i) => Math.abs(value - (known[i] as number)) < 1e-15),
    ).not.toContain(false)
    expect(erf(-1)).toBe(-erf(1))
  })
})

describe('cases of every kind', () => {
  it.each(sample(wanted, 1, 2))('$name', async (each) => {
    const before = tf.memory().numTensors
    const { passed, checks, worst } = await checkConformance(writeCase(each), each.name)
    expect({ passed, worst }).toEqual({ passed: true, worst: expect.anything() })
    expect(checks.length).toBeGreaterThan(20)
    expect(tf.memory().numTensors).toBe(before)
  })

  it.each<[string, Record<string, unknown>]>([
    ['gmlp_wide', { act: 'gelu' }],
    ['gmlp_wide', { norm_eps: 0.06 }],
    ['gmlp_wide', { gate_norm_eps: 0.05 }],
    ['mixer_high', { act: 'gelu_tanh' }],
    ['ff_only_wide', { act: 'gelu' }],
    ['vit_high', { norm_eps: 0.11 }],
    ['eamlp_two_eps', { stem_norm_eps: 0.01 }],
    ['eamlp_two_eps', { norm_eps: 0.2 }],
    ['bert_tanh', { act: 'gelu' }],
    ['bert_exact_padded', { act: 'gelu_new' }],
  ])('%s is not a model with %j', async (name, change) => {
    const found = wanted.find((each) => each.name === name) as (typeof wanted)[number]
    const { tensors, metadata } = readSafetensors(writeCase(found))
    const other = writeSafetensors(tensors, { ...metadata, config: JSON.stringify({ ...found.config, ...change }) })
    expect((await checkConformance(other, name)).passed).toBe(false)
  })
})
