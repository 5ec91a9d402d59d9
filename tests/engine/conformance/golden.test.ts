import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkConformance } from '../../../engine/conformance/index.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'

const folder = new URL('../../golden/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder))
const files = readdirSync(folder).filter((name) => name.endsWith('.safetensors'))

describe('reference cases', () => {
  it.each(files)('%s', (file) => {
    const { checks } = checkConformance(read(file), file)
    expect(checks.filter(({ error, tolerance }) => !(error <= tolerance))).toEqual([])
  })
  it('are all there', () => {
    expect(files).toHaveLength(42)
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
    ['resnet20.safetensors', 'input.grad'],
    ['vit_timm.safetensors', 'block0.output'],
    ['optim_lamb.safetensors', 'step3.param.fc1.weight'],
    ['op_layernorm.safetensors', 'grad_input'],
    ['op_gelu.safetensors', 'derivative'],
  ])('%s with another %s', (file, tensor) => {
    const { passed } = checkConformance(changed(file, tensor, same), file)
    expect(passed).toBe(false)
  })
  it.each([
    ['gmlp_timm.safetensors', { act: 'gelu_tanh' }],
    ['gmlp_timm_small.safetensors', { norm_eps: 1e-5 }],
    ['gmlp_split.safetensors', { variant: 'additive', ffn: 12 }],
    ['bert_small.safetensors', { norm_eps: 1e-6 }],
    ['optim_sgd_nesterov.safetensors', { nesterov: false }],
  ])('%s built with %j', (file, change) => {
    const run = () => checkConformance(changed(file, null, config(change)), file).passed
    const passed = (() => {
      try {
        return run()
      } catch {
        return false // another width: the parameters do not fit
      }
    })()
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
    ['patches that are not square', config({ patch_size: [4, 2] }), '4 x 2, expected square patches'],
  ])('is refused: %s', (_, change, message) => {
    expect(() => checkConformance(changed('vit_timm.safetensors', null, change), 'case')).toThrow(message)
  })
})
