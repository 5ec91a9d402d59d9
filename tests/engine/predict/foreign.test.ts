import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../engine/data/images/decode.ts'
import { upright } from '../../../engine/data/images/file/orientation.ts'
import { centreCrop, resize } from '../../../engine/data/images/resize.ts'
import { ask } from '../../../engine/predict/ask.ts'
import { modelOfFile, type SidecarInfo } from '../../../engine/predict/file.ts'
import { type PicturePreparation, pictureInput, preprocess } from '../../../engine/predict/pictures.ts'
import { type NamedTensor, readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { exifSegment, tiff, withSegments } from '../data/images/exif.ts'
import { jpegFile } from '../data/images/jpeg-files.ts'

onSimd()

const GOLDEN = 'tests/golden/foreign'
const CASES = readdirSync(GOLDEN, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
const PICTURES = CASES.filter((name) => !name.startsWith('bert'))

/** What is said of cases that have no configuration. */
const SAID: Record<string, SidecarInfo> = {
  'vit-alone': { facts: { heads: 6, mean: [0.5], deviation: [0.5] } },
  ...Object.fromEntries(
    ['module', 'folded', 'partitions'].map((name) => [
      `repmlp-${name}`,
      { facts: { mean: [0.2], deviation: [0.7], ...(name === 'partitions' && { size: [16, 48] as const }) } },
    ]),
  ),
  'gmlp-options': { facts: { mean: [0.2], deviation: [0.7], activation: 'relu', eps: 0.02, gateEps: 0.03 } },
}
const bytesOf = (name: string, file: string) => new Uint8Array(readFileSync(join(GOLDEN, name, file)))
const textOf = (name: string, file: string) => {
  const path = join(GOLDEN, name, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
const besideOf = (name: string): SidecarInfo => ({
  config: textOf(name, 'config.json'),
  preprocessing: textOf(name, 'preprocessor_config.json'),
  ...SAID[name],
})

function expectedOf(name: string, which: 'input' | 'logits'): NamedTensor {
  const { tensors } = readSafetensors(bytesOf(name, 'expected.safetensors'))
  return tensors.find((each) => each.name === which) as NamedTensor
}
const given = (name: string) => expectedOf(name, 'input')
const logits = (name: string) => expectedOf(name, 'logits').values as Float32Array

const opened = (name: string) => modelOfFile(bytesOf(name, 'model.safetensors'), name, {}, besideOf(name))

/** What a model says to the picture of a case. */
async function said(name: string, beside = besideOf(name), file: Uint8Array = bytesOf(name, 'model.safetensors')) {
  const model = await modelOfFile(file, name, {}, beside)
  try {
    const [height, width, channels] = given(name).shape as [number, number, 1 | 3]
    const picture = { height, width, channels, pixels: Uint8Array.from(given(name).values) }
    const preparation = model.preparation as PicturePreparation
    expect(preparation.size).toEqual([height, width])
    const values = tf.tidy(() => model.model.apply(pictureInput(picture, preparation), {}).dataSync()) as Float32Array
    const { classes, notes } = model
    return { values, classes, notes, answer: await ask(model, { picture }, 3) }
  } finally {
    model.dispose()
  }
}

/** The largest error, as a share of the largest logit. */
const error = (own: Float32Array, right: Float32Array) =>
  Math.max(...right.map((value, i) => Math.abs(value - (own[i] as number)))) / Math.max(...right.map(Math.abs))

describe('a file from elsewhere', () => {
  it.each(PICTURES.filter((name) => name !== 'vit-layer-scale'))('says what PyTorch says: %s', async (name) => {
    const { values } = await said(name)
    expect(values).toHaveLength(logits(name).length)
    expect(error(values, logits(name))).toBeLessThan(1e-5)
  })
  it('says something else with other heads, mean, activation, eps or order of channels', async () => {
    for (const facts of [{ heads: 4 }, { mean: [0.4] }, { activation: 'relu' }, { eps: 0.1 }, { bgr: true }] as const) {
      const name = 'vit-alone'
      const { values } = await said(name, { facts: { ...SAID[name]?.facts, ...facts } })
      expect(error(values, logits(name)), JSON.stringify(facts)).toBeGreaterThan(1e-3)
    }
  })
  it('says what nobody said, and has the names of its classes', async () => {
    const named = await said('vit-3-heads')
    expect(named.classes).toEqual(['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu'])
    expect(named.answer[0]?.likely[0]?.name).toMatch(/^(ant|bee|cat|dog|eel|fox|gnu)$/)
    expect(named.notes).toEqual([
      'nothing says otherwise, so as usual: --activation gelu, --eps 0.000001, --pool token',
      'pictures are resized bilinearly, its configuration says bicubic',
    ])
    expect((await said('hf-vit')).classes).toEqual(['rose', 'tulip', 'daisy', 'lily', 'iris'])
    expect((await said('hf-vit')).notes).toEqual(['nothing says otherwise, so as usual: --pool token'])
    expect((await said('gmlp-options')).notes).toEqual(['pictures taken as square, 16 x 16 (--size)'])
    expect((await said('resmlp-deit')).notes[0]).toContain('as usual: --activation gelu')
  })
  it('has its classes numbered where a configuration has other names', async () => {
    const config = JSON.stringify({
      ...JSON.parse(textOf('hf-vit', 'config.json') ?? ''),
      id2label: { 0: 'a', 1: 'b' },
    })
    const { classes, notes } = await said('hf-vit', { ...besideOf('hf-vit'), config })
    expect(classes).toEqual([0, 1, 2, 3, 4].map((i) => `class ${i}`))
    expect(notes.at(-1)).toBe('its configuration names 2 classes, there are 5; they are numbered')
    const empty = await said('hf-vit', { ...besideOf('hf-vit'), facts: { labels: ['a', '', 'c', 'a', 'e'] } })
    expect(empty.classes).toEqual(['a', 'class 1', 'c', 'a', 'e'])
  })
  it('says which weights are not numbers, and ranks nothing', async () => {
    const { tensors } = readSafetensors(bytesOf('vit-alone', 'model.safetensors'))
    const [bias] = tensors.filter(({ name }) => name === 'head.bias') as [NamedTensor]
    bias.values[3] = Number.NaN
    await expect(said('vit-alone', SAID['vit-alone'], writeSafetensors(tensors))).rejects.toThrow(
      "its output is not a number in 1 of 7 values; of its weights 'head.bias' has 1 of 7 NaN or infinite",
    )
    for (const { values } of tensors) values.fill(Number.NaN)
    await expect(said('vit-alone', SAID['vit-alone'], writeSafetensors(tensors))).rejects.toThrow(
      /7 of 7 values; of its weights 'patch_embed.proj.weight' has 1152 of 1152 NaN or infinite, and \d+ more tensors have some/,
    )
  })

  const changed = (name: string, change: object): SidecarInfo => ({
    ...besideOf(name),
    config: JSON.stringify({ ...JSON.parse(textOf(name, 'config.json') ?? '{}'), ...change }),
  })
  const norm = { mean: [0.5], deviation: [0.5] }
  it.each([
    ['vit-layer-scale', {}, "has 'blocks.0.ls1.gamma' and 1 more tensors, which its model does not have here"],
    ['vit-alone', { facts: {} }, /says how many heads .*\(--heads: 1, 2, 3, 4, 6, 8, 12, 24\), nor how .*\(--mean and/],
    ['vit-alone', { facts: norm }, 'nothing says how many heads its attention has'],
    ['gmlp-options', { facts: {} }, 'nothing says how its pictures are normalised'],
    ['vit-alone', { facts: { ...norm, heads: 5 } }, 'its width 24 is not divided by 5 heads'],
    ['vit-alone', { facts: { heads: 6, ...norm, mean: [1, 2] } }, "--mean: '1,2', expected 1 or 3 numbers"],
    ['vit-alone', { facts: { heads: 6, ...norm, size: [16, 20] } }, 'pictures of 16 x 20 in patches of 4 x 4 are not'],
    ['vit-alone', { facts: { heads: 6, ...norm, labels: ['a'] } }, '--labels has 1 names, there are 7 classes'],
    ['vit-no-class-token', { facts: { pool: 'token' } }, 'has no class token to pool'],
    ['vit-not-square', { config: null, facts: { heads: 6, ...norm } }, 'whose 12 patches are no square (--size'],
    ['hf-vit', changed('hf-vit', { hidden_size: 48 }), 'its configuration has width 48, its tensors 24'],
    ['hf-vit', changed('hf-vit', { num_hidden_layers: 12 }), 'its configuration has depth 12, its tensors 1'],
    ['hf-vit', changed('hf-vit', { patch_size: 8 }), 'has patches of 8 x 8, its tensors 4 x 4'],
    ['hf-vit', changed('hf-vit', { image_size: 32 }), 'pictures of 32 x 32 in patches of 4 x 4 are not its 16'],
    ['hf-vit', changed('hf-vit', { hidden_act: 'mish' }), "'mish' is not known here (known: gelu"],
    ['hf-vit', changed('hf-vit', { num_attention_heads: '6' }), "num_attention_heads: '6', expected a"],
    [
      'vit-mean',
      changed('vit-mean', { global_pool: 'map' }),
      "global_pool: 'map' is not known here (known: token, avg)",
    ],
    ['hf-vit', { config: '{' }, 'hf-vit: its config.json: is no JSON'],
    ['hf-vit', { config: '[]' }, 'hf-vit: its config.json: '],
    ['bert-3-heads', { config: null }, 'is a BERT, whose tokenizer is not in the file; a study can start from it'],
    ['vit-12-heads', { prefix: 'teacher.' }, "no first block behind the prefix 'teacher.'"],
  ] as [string, SidecarInfo, string | RegExp][])('is refused: %s with %j', async (name, more, message) => {
    const before = tf.memory().numTensors
    await expect(said(name, { ...besideOf(name), ...more })).rejects.toThrow(message)
    expect(tf.memory().numTensors).toBe(before)
  })
  it('sees a photograph upright, cut or squashed as its configuration has it', async () => {
    const model = await opened('vit-12-heads')
    const file = withSegments(jpegFile('quarters'), exifSegment(tiff({ orientation: 6, order: 'MM', thumbnail: 3 })))
    const picture = decodeImage(jpegFile('quarters'), 'a')
    const [turned, lying, itself] = [
      await ask(model, { file, name: 'a.jpg' }, 7),
      await ask(model, { picture }, 7),
      await ask(model, { picture: upright(picture, 6) }, 7),
    ]
    expect(turned).toEqual(itself)
    expect(turned).not.toEqual(lying)
    const { preparation } = model as { preparation: PicturePreparation }
    expect(preparation.crop).toBe(0.9)
    const seen = preprocess(picture, preparation)
    expect([seen.height, seen.width, preprocess(seen, preparation)]).toEqual([16, 16, seen])
    expect(seen).toEqual(centreCrop(resize(picture, 34, 17), 16))
    expect(preprocess(picture, { ...preparation, crop: 1, squash: true })).toEqual(resize(picture, 16, 16))
    model.dispose()
  })
  it('is one of several models, by the beginning of their names', async () => {
    const own = readSafetensors(bytesOf('vit-alone', 'model.safetensors')).tensors
    const other = readSafetensors(bytesOf('vit-12-heads', 'model.safetensors')).tensors
    const under = (prefix: string, tensors: NamedTensor[]) =>
      tensors.map((each) => ({ ...each, name: prefix + each.name }))
    const file = writeSafetensors([...under('student.net.', own), ...under('teacher.', other)])
    await expect(said('vit-alone', SAID['vit-alone'], file)).rejects.toThrow(
      "has 2 models, behind 'student.net.', 'teacher.'; it takes one (--prefix; in a cell, prefix)",
    )
    const { values } = await said('vit-alone', { ...SAID['vit-alone'], prefix: 'student.net.' }, file)
    expect(error(values, logits('vit-alone'))).toBeLessThan(1e-5)
    const twice = writeSafetensors([...under('module.', own), ...own.filter(({ name }) => name === 'head.bias')])
    await expect(said('vit-alone', SAID['vit-alone'], twice)).rejects.toThrow("has 'head.bias' twice, with and without")
  })
})
