import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encode } from 'fast-png'
import { describe, expect, it, vi } from 'vitest'
import { modelTensors } from '../../../engine/cost/trace.ts'
import { mixer } from '../../../engine/models/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { keyOf, normal } from '../../../engine/random.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { LONG, sample } from '../../long.ts'
import { freshFolder, mixlab, trainIn, writeNotebook } from './recorder.ts'

const PIXELS = Uint8Array.from({ length: 24 * 20 * 3 }, (_, i) => (i * 7) % 256)
const PICTURE = encode({ width: 24, height: 20, data: PIXELS, channels: 3 })

/** A file of a small Mixer with its own names alone, and a picture of another size. */
async function files() {
  const folder = freshFolder()
  vi.stubEnv('MIXLAB_WORKSPACE', folder)
  const block = mixer({ patch: 4, dim: 8, depth: 1, ffn: 16 })
  const forward = assemble(block, resolveSize(block, {}, 'test'), 'image', { outputs: 3 })
  const tensors = (await modelTensors(forward, { shape: [1, 16, 16, 3] })).map(({ name, shape }) => {
    const length = shape.reduce((product, each) => product * each, 1)
    return { name, shape, values: Float32Array.from({ length }, (_, i) => normal(keyOf(1, name), i)) }
  })
  const [weights, picture] = [join(folder, 'mixer.safetensors'), join(folder, 'a.png')]
  writeFileSync(weights, writeSafetensors(tensors))
  writeFileSync(picture, PICTURE)
  return { weights, picture }
}

/** As the pixels of most published Mixers are normalised. */
const HALF = ['--mean', '0.5', '--std', '0.5']

it('names the most probable classes of a picture', async () => {
  const { weights, picture } = await files()
  const { code, out } = await mixlab(['predict', weights, picture, '--top', '2', '--json', ...HALF])
  expect(code).toBe(0)
  const { top } = JSON.parse(out[0] ?? '')
  expect(top).toHaveLength(2)
  expect(top[0].probability).toBeGreaterThanOrEqual(top[1].probability)
  for (const name of ['mixer.pth.tar', 'mixer']) {
    copyFileSync(weights, join(dirname(weights), name))
    const same = await mixlab(['predict', join(dirname(weights), name), picture, '--top', '2', '--json', ...HALF])
    expect(same.out).toEqual(out)
  }
  const all = await mixlab(['predict', weights, picture, '--json', ...HALF])
  const sum = JSON.parse(all.out[0] ?? '').top.reduce((total: number, { probability = 0 }) => total + probability, 0)
  expect(sum).toBeCloseTo(1, 5)
})

it('says what cannot be read', async () => {
  const { weights, picture } = await files()
  const [damaged, empty] = [join(freshFolder(), 'a.safetensors'), join(freshFolder(), 'a.onnx')]
  writeFileSync(damaged, 'not that')
  writeFileSync(empty, '')
  for (const [words, message] of [
    [['none.safetensors', picture], 'none.safetensors: no such file'],
    [[weights, weights, ...HALF], 'mixer.safetensors: neither a PNG nor a JPEG'],
    [[picture, picture], 'a.png: is a PNG picture, not a file of weights'],
    [[damaged, picture], "is text, 'not that', not a file of weights"],
    [[empty, picture], 'a.onnx: is empty (0 bytes)'],
    [['nowhere', picture], 'nowhere: no such file or folder; run'],
  ] as const) {
    expect((await mixlab(['predict', ...words])).err[0]).toContain(message)
  }
})

it('asks on the graphics card of a name', async () => {
  const { weights, picture } = await files()
  const refused = async (...words: string[]) => (await mixlab(words)).err.at(-1)
  const evaluated = await refused('evaluate', weights, picture, '--card', 'any', '--backend', 'cpu')
  expect(evaluated).toBe('mixlab: --card: not together with --backend cpu')
  const unknown = await refused('predict', weights, picture, ...HALF, '--card', 'no such card')
  expect(unknown).toMatch(/no card has 'no such card' in its name|'webgpu' (does not start|needs the package)/)
})

it.runIf(LONG)('takes another mean and deviation of pixels', async () => {
  const { weights, picture } = await files()
  const asked = async (...more: string[]) => mixlab(['predict', weights, picture, '--json', ...HALF, ...more])
  const said = async (...more: string[]) => (await asked(...more)).out[0]
  expect(await said('--mean', '0.5', '--std', '0.5,0.5,0.5')).toBe(await said())
  expect(await said('--mean', '0.4,0.5,0.6')).not.toBe(await said())
  for (const [words, message] of [
    ['--mean 1,2', "mixlab: --mean: '1,2', expected 1 or 3 numbers, apart by commas"],
    ['--std 0', "mixlab: --std: '0', expected 1 or 3 numbers above 0, apart by commas"],
    ['--mean a', "mixlab: --mean: 'a', expected numbers apart by commas, or imagenet"],
    ['--size 0x9', "--size: '0x9', expected pixels, HEIGHTxWIDTH"],
    ['--eps -1', "--eps: '-1', expected a number above 0"],
    ['--crop 2', "--crop: '2', expected a number above 0 and at most 1"],
    ['--activation rely', "--activation: 'rely' is not known here (did you mean 'relu'?)"],
    ['--labels a,b', '--labels has 2 names, there are 3 classes'],
    ['--config nowhere.json', 'nowhere.json: no such file'],
  ] as const) {
    expect((await asked(...words.split(' '))).err[0]).toContain(message)
  }
})

it.runIf(LONG)('asks what nothing says, and says what it assumed, also as JSON', async () => {
  const { weights, picture } = await files()
  const bare = await mixlab(['predict', weights, picture])
  expect([bare.code, bare.out]).toEqual([1, []])
  expect(bare.err[0]).toContain(
    'mixer.safetensors: nothing says how its pictures are normalised (--mean and --std: 0.5',
  )
  const assumed = [
    'nothing says otherwise, so as usual: --activation gelu, --eps 0.000001',
    'pictures taken as square, 16 x 16 (--size)',
  ]
  const said = await mixlab(['predict', weights, picture, ...HALF, '--labels', 'a,b,c', '--top', '1'])
  expect([said.out.slice(0, 2), said.out.at(-1)]).toEqual([assumed, expect.stringMatching(/^[abc] +\d/)])
  const config = {
    architecture: 'mixer_a',
    num_classes: 3,
    label_names: ['x', 'y', 'z'],
    pretrained_cfg: { mean: [0.4, 0.5, 0.6], std: [1, 1, 1] },
  }
  writeFileSync(join(dirname(weights), 'config.json'), JSON.stringify(config))
  const beside = await mixlab(['predict', weights, picture, '--json'])
  const answer = JSON.parse(beside.out[0] ?? '')
  expect([answer.top[0].name, answer.notes]).toEqual([expect.stringMatching(/^[xyz]$/), assumed])
})

it('says that an output is not a number, of which weights, and ranks nothing', async () => {
  const { weights, picture } = await files()
  const { tensors } = readSafetensors(readFileSync(weights))
  for (const { values } of tensors) values.fill(Number.NaN)
  writeFileSync(weights, writeSafetensors(tensors))
  for (const json of [[], ['--json']]) {
    const { code, out, err } = await mixlab(['predict', weights, picture, ...HALF, ...json])
    expect([code, out.filter((line) => line.includes('class'))]).toEqual([1, []])
    expect(err[0]).toMatch(
      /its output is not a number in 3 of 3 values; of its weights 'stem.proj.weight' has 384 of 384/,
    )
  }
})

describe('a run, and what was exported of it,', () => {
  async function trained(notebook?: string) {
    const folder = freshFolder()
    const workspace = ['--workspace', folder]
    const run = () => mixlab(['run', writeNotebook(folder, notebook), ...workspace])
    const { err } = await (notebook === undefined ? trainIn(folder) : run())
    expect(err.join('\n')).not.toContain('failed')
    const picture = join(folder, 'a.png')
    writeFileSync(picture, PICTURE)
    return { folder, workspace, picture }
  }

  it('say the same, with the names of their classes', async () => {
    const { folder, workspace, picture } = await trained()
    const said: string[] = []
    for (const name of sample(['mixer.safetensors', 'mixer.npz'])) {
      await mixlab(['export', 'tiny/mixer/1', '-o', join(folder, name), ...workspace])
      said.push((await mixlab(['predict', join(folder, name), picture])).out.join('\n'))
    }
    const ofRun = await mixlab(['predict', 'tiny/mixer/1', picture, ...workspace])
    expect(ofRun.err).toEqual([expect.stringMatching(/^run \d+: weights .*; the test of the run was made with them$/)])
    said.push(ofRun.out.join('\n'))
    expect(new Set(said).size).toBe(1)
    expect(said[0]).toMatch(/a\.png +probability\n[a-z-]+ +0\.\d{4}\n/)
    expect((await mixlab(['predict', '99', picture, ...workspace])).err[0]).toContain('99')
    expect((await mixlab(['predict', '1', ...workspace])).err[0]).toContain('run 1: reads a picture or more')
  })
  it.runIf(LONG)('run the code of a file, and say so', async () => {
    const { folder, workspace, picture } = await trained()
    const path = join(folder, 'plain.safetensors')
    await mixlab(['export', 'tiny/plain/1', '-o', path, ...workspace])
    const own = await mixlab(['predict', '1', picture, '--json', ...workspace])
    const { code, err, out } = await mixlab(['predict', path, picture, '--json', ...workspace])
    expect([code, out]).toEqual([0, own.out])
    expect(err).toEqual(['plain.safetensors has the code of its block in it, which runs with no rights'])
    const trusted = await mixlab(['predict', path, picture, '--trust', '--json', ...workspace])
    expect([trusted.out, trusted.err[0]]).toEqual([own.out, expect.stringContaining('runs with your rights')])
  })
  it.runIf(LONG)('take texts as words or piped in', async () => {
    const { workspace, picture } = await trained(`// %% study
import { compare, gmlp, mlm, pair, sequence, world } from 'mixlab'
const options = { data: world({ train: 60, test: 20 }), tokens: 20, tokenizer: { vocabulary: 40 } }
const small = { model: { dim: 8, depth: 1 }, variants: { gmlp }, train: { steps: 2, batch: 8 }, seeds: 1 }
export const sequences = compare('sequences', { task: sequence(options), ...small })
export const pairs = compare('pairs', { task: pair(options), ...small })
export const masked = compare('masked', { task: mlm(options), ...small })
`)
    const input = async () => 'good\nbad\n'
    const words = await mixlab(['predict', 'sequences/gmlp/1', 'good', 'bad', '--json', ...workspace])
    const piped = await mixlab(['predict', 'sequences/gmlp/1', '--json', ...workspace], { input })
    expect(words.out).toHaveLength(2)
    expect(piped.out).toEqual(words.out)
    const pairs = await mixlab(['predict', 'pairs/gmlp/1', 'one', 'other', '--json', ...workspace])
    expect(JSON.parse(pairs.out[0] ?? '').input).toBe('one | other')
    const masked = await mixlab(['predict', 'masked/gmlp/1', 'a [MASK] is [MASK]', '--top', '1', ...workspace])
    expect(masked.out[0]).toMatch(/^a \[MASK\] is \[MASK\] \(1\) +probability$/)
    expect(masked.out).toHaveLength(4)
    for (const [wrong, why] of sample([
      [['sequences/gmlp/1', picture], 'is a file, run 1 reads texts'],
      [['sequences/gmlp/1'], 'run 1: reads a text or more'],
      [['pairs/gmlp/1', 'one'], 'reads two texts at a time'],
      [['masked/gmlp/1', 'a', '--mean', '0'], '--mean: run 3 reads no pictures'],
      [['masked/gmlp/1', 'a', '--heads', '2'], '--heads: run 3 says it itself'],
      [['masked/gmlp/1', 'a', '--config', 'a'], '--config: is of a file, not of a run'],
    ] as const)) {
      expect((await mixlab(['predict', ...wrong, ...workspace])).err[0]).toContain(why)
    }
  })
})
