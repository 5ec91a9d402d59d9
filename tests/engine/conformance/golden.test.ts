import { readdirSync, readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { checkConformance } from '../../../engine/conformance/index.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { LONG, sample } from '../../long.ts'

// On the backend of TensorFlow.js that is plain JavaScript.
const folder = new URL('../../golden/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder))
const files = readdirSync(folder).filter((name) => name.endsWith('.safetensors'))
const variants = readdirSync(new URL('variants/', folder)).map((name) => `variants/${name}`)
/** Takes half as long as all others. */
const SLOW = 'eamlp.safetensors'
/** `npm test` has all of them on simd, which is quick (backends/simd/golden.test.ts). */
const tried = sample(files).filter((file) => LONG || file !== SLOW)

describe('reference cases', () => {
  it.each(tried)('%s', async (file) => {
    const { checks } = await checkConformance(read(file), file)
    expect(checks.filter(({ error, tolerance }) => !(error <= tolerance))).toEqual([])
  })
  it('are all there', () => {
    expect([files.length, variants.length]).toEqual([87, 11])
  })
})

/** Patches that are not square, both forms of GELU, and an eps of its own at every place that has one. */
describe('cases of other options', () => {
  it.each(variants)('%s', async (file) => {
    const before = tf.memory().numTensors
    const { passed, checks, worst } = await checkConformance(read(file), file)
    expect({ passed, worst }).toEqual({ passed: true, worst: expect.anything() })
    expect(checks.length).toBeGreaterThan(20)
    expect(tf.memory().numTensors).toBe(before)
  })
})

/** A case with one value of one tensor, or one entry of its metadata, changed. */
function changed(
  file: string,
  tensor: string | null,
  metadata: (old: Record<string, string>) => Record<string, string>,
) {
  const found = readSafetensors(read(file))
  const tensors = found.tensors.map((each) => {
    if (each.name !== tensor) return each
    const values = Float32Array.from(each.values)
    values[0] = (values[0] ?? 0) + 0.01
    return { ...each, values }
  })
  return writeSafetensors(tensors, metadata(found.metadata))
}

const same = (metadata: Record<string, string>) => metadata
const config = (change: Record<string, unknown>) => (metadata: Record<string, string>) => ({
  ...metadata,
  config: JSON.stringify({ ...JSON.parse(metadata.config ?? '{}'), ...change }),
})

describe('a case fails', () => {
  it.each([
    ['gmlp_timm.safetensors', 'output'],
    ['gmlp_timm.safetensors', 'grad.blocks.1.mlp_channels.gate.proj.weight'],
    ['mixer_timm.safetensors', 'param.blocks.0.mlp_tokens.fc1.weight'],
    ['bert_padding.safetensors', 'loss'],
    ['external_attention_unit.safetensors', 'input.grad'],
    ['vit_timm.safetensors', 'block0.output'],
    ['optim_lamb.safetensors', 'step3.param.fc1.weight'],
    ['op_layernorm.safetensors', 'grad_input'],
    ['op_gelu.safetensors', 'derivative'],
    ['op_scan.safetensors', 'grad_input.0'],
    ['op_dense_groups.safetensors', 'grad_param.weight'],
    ['op_depthwise.safetensors', 'grad_param.weight'],
    ['op_avg_pool.safetensors', 'grad_input.0'],
  ])('%s with another %s', async (file, tensor) => {
    const { passed } = await checkConformance(changed(file, tensor, same), file)
    expect(passed).toBe(false)
  })
  it.each([
    ['gmlp_timm.safetensors', { act: 'gelu_tanh' }],
    ['gmlp_timm_small.safetensors', { norm_eps: 1e-5 }],
    ['gmlp_split.safetensors', { variant: 'additive', ffn: 12 }],
    ['bert_small.safetensors', { norm_eps: 1e-6 }],
    ['optim_sgd_nesterov.safetensors', { nesterov: false }],
    ['op_attend_causal.safetensors', { causal: false }],
    ['op_rotary.safetensors', { base: 1000 }],
    ['op_conv1d_causal.safetensors', { padding: 'same' }],
    ['op_avg_pool_tokens.safetensors', { grid: [3, 4] }],
    ['variants/gmlp_wide.safetensors', { act: 'gelu' }],
    ['variants/gmlp_wide.safetensors', { norm_eps: 0.06 }],
    ['variants/gmlp_wide.safetensors', { gate_norm_eps: 0.05 }],
    ['variants/mixer_high.safetensors', { act: 'gelu_tanh' }],
    ['variants/ff_only_wide.safetensors', { act: 'gelu' }],
    ['variants/vit_high.safetensors', { norm_eps: 0.11 }],
    ['variants/eamlp_two_eps.safetensors', { stem_norm_eps: 0.01 }],
    ['variants/eamlp_two_eps.safetensors', { norm_eps: 0.2 }],
    ['variants/bert_tanh.safetensors', { act: 'gelu' }],
    ['variants/bert_exact_padded.safetensors', { act: 'gelu_new' }],
  ])('%s built with %j', async (file, change) => {
    const passed = await checkConformance(changed(file, null, config(change)), file).then(
      (found) => found.passed,
      () => false, // another width: the parameters do not fit
    )
    expect(passed).toBe(false)
  })
})

describe('a file that is no case', () => {
  it.each([
    ['no kind', (metadata: Record<string, string>) => ({ ...metadata, kind: '' }), "the metadata have no 'kind'"],
    [
      'another kind',
      (metadata: Record<string, string>) => ({ ...metadata, kind: 'modle' }),
      "unknown kind 'modle' (did you mean 'model'?)",
    ],
    [
      'another builder',
      (metadata: Record<string, string>) => ({ ...metadata, builder: 'timm_vti' }),
      "unknown builder 'timm_vti' (did you mean 'timm_vit'?)",
    ],
    ['a config without sizes', config({ dim: undefined }), 'config.dim: undefined, expected a number'],
    ['an activation that is not known', config({ act: 'gleu' }), "unknown activation 'gleu' (did you mean 'gelu'?)"],
    ['patches of three sides', config({ patch_size: [4, 2, 1] }), '[4,2,1], expected a number, or [height, width]'],
    ['patches that do not fill the image', config({ patch_size: [4, 3] }), '[4,3] does not divide the image, 16 x 16'],
    [
      'a key that nothing reads',
      config({ norm_esp: 1e-5 }),
      "config.norm_esp: nothing reads it (did you mean 'norm_eps'?)",
    ],
    ['an eps where there is none', config({ stem_norm_eps: 1e-5 }), 'config.stem_norm_eps: nothing reads it'],
    ['images of another size', config({ image_size: [16, 8] }), 'config.image_size: [16,8], expected [16,16]'],
    ['images with other channels', config({ in_chans: 1 }), 'config.in_chans: 1, expected 3'],
    [
      'a config that is no JSON',
      (metadata: Record<string, string>) => ({ ...metadata, config: '{' }),
      'config: expected an object in JSON',
    ],
    [
      'a config that is a list',
      (metadata: Record<string, string>) => ({ ...metadata, config: '[]' }),
      'config: expected an object in JSON',
    ],
  ])('is refused: %s', async (_, change, message) => {
    const before = tf.memory().numTensors
    await expect(checkConformance(changed('vit_timm.safetensors', null, change), 'case')).rejects.toThrow(message)
    expect(tf.memory().numTensors).toBe(before)
  })
  it.each([
    ['optim_sgd_momentum', { dampening: 0.1 }, 'config.dampening: nothing reads it'],
    ['optim_adamw', { bias_correction: false }, 'config.bias_correction: false, expected true'],
    ['op_conv2d_groups', { function: 'conv' }, "unknown function 'conv' (did you mean 'conv1d'?)"],
    ['op_gelu', { eps: 1 }, 'config.eps: nothing reads it'],
    ['op_scan', { function: 'skan' }, "unknown function 'skan' (did you mean 'scan'?)"],
    ['op_batchnorm_train', { layout: 'NHWC' }, 'config.layout: "NHWC", expected "NCHW"'],
    ['bert', { padding: true }, 'config.padding: true, expected false'],
    ['resmlp_timm', { norm_eps: 1e-6 }, 'config.norm_eps: nothing reads it'],
    ['bert', { act: 'swish' }, "config.act: unknown activation 'swish'"],
  ])('is refused: %s with %j', async (name, change, message) => {
    const file = changed(`${name}.safetensors`, null, config(change))
    const before = tf.memory().numTensors
    await expect(checkConformance(file, name)).rejects.toThrow(message)
    expect(tf.memory().numTensors).toBe(before)
  })
  it('takes a number for both sides', async () => {
    const sides = config({ patch_size: 4, image_size: 16 })
    expect((await checkConformance(changed('vit_timm.safetensors', null, sides), 'case')).passed).toBe(true)
  })
})
