import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FormatName, formats } from '../../../engine/export/formats/index.ts'
import { inputsOf } from '../../../engine/export/graph/record.ts'
import * as mixlab from '../../../engine/index.ts'
import { ask, askAll, type Question } from '../../../engine/predict/ask.ts'
import { descriptionOf, modelOfFile } from '../../../engine/predict/file.ts'
import { trainedOf } from '../../../engine/predict/trained.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import type { OneOrMore } from '../../../engine/weights/files/contents.ts'
import { gatherWeights } from '../../../engine/weights/files/gather.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { CATALOGUE, exported, type Trained, trained } from '../export/trained.ts'

onSimd()

const modules = { mixlab, '@tensorflow/tfjs': tf as unknown as Record<string, unknown> }
const nameOf = ({ run }: Trained) => `${run.study}/${run.variant}`
let runs: Trained[] = []
beforeAll(async () => {
  runs = await trained(CATALOGUE)
})
const runOf = (name: string) => runs.find((each) => nameOf(each) === name) as Trained

async function fileOf(name: string, format: 'safetensors' | 'npz' = 'safetensors', more = {}): Promise<Uint8Array> {
  const { files } = await exported(runOf(name), format, more)
  return files[`.${format}`] as Uint8Array
}

/** The parts in which the files of a format are read, as from a disk. */
async function partsOf(name: string, format: FormatName): Promise<Uint8Array[]> {
  const { files } = await exported(runOf(name), format)
  const named = Object.entries(files).map(([ending, bytes]) => [`model${ending}`, bytes])
  return (await gatherWeights(`model${formats[format].ending}`, memoryFiles(Object.fromEntries(named)))).parts
}

/** The largest difference of a logit of the model of a file and that of its run, on validation examples. */
async function difference(each: Trained, file: OneOrMore): Promise<number> {
  const { model, task, dispose } = await rebuild(each.run, each.weights, memoryFiles({}), modules)
  const read = await modelOfFile(file, 'model', modules)
  let largest = 0
  for await (const batch of task.evalBatches('validation', 5, 5)) {
    const { input, ...extras } = inputsOf(batch)
    const apart = tf.tidy(() => {
      const [own, other] = [model, read.model].map((each) => each.apply(input, {}, extras)) as [tf.Tensor, tf.Tensor]
      return tf.max(tf.abs(tf.sub(own, other))).dataSync()[0] as number
    })
    largest = Math.max(largest, apart)
    tf.dispose(batch)
  }
  read.dispose()
  dispose()
  return largest
}

type About = { input: object; spec: { model: object } }
const withInput =
  (shape: unknown[]) =>
  ({ input, ...about }: About) => ({ ...about, input: { ...input, shape } })
const withModel =
  (model: object) =>
  ({ spec, ...about }: About) => ({ ...about, spec: { ...spec, model: { ...spec.model, ...model } } })

describe('a file that was exported', () => {
  it.each([
    ['safetensors', 0],
    ['npz', 2],
  ] as const)('is the model of its run, from the file alone: %s', async (format, from) => {
    const before = tf.memory().numTensors
    const apart: Record<string, number> = {}
    const some = sample(runs, from, 24)
    for (const each of some) apart[nameOf(each)] = await difference(each, await fileOf(nameOf(each), format))
    expect(apart).toEqual(Object.fromEntries(some.map((each) => [nameOf(each), 0])))
    expect(tf.memory().numTensors).toBe(before)
  })
  it.each([
    ['onnx', 1],
    ['tfjs', 4],
    ['torch', 7],
  ] as const)('is so as a graph, or beside code, neither of which is run: %s', async (format, from) => {
    const before = tf.memory().numTensors
    for (const each of sample(runs, from, 24))
      expect([nameOf(each), await difference(each, await partsOf(nameOf(each), format))]).toEqual([nameOf(each), 0])
    expect(tf.memory().numTensors).toBe(before)
  })
  it('is refused as a graph that Mixlab did not write, or one that is damaged', async () => {
    const [json, weights] = (await partsOf('images/mixer', 'tfjs')) as [Uint8Array, Uint8Array]
    const { userDefinedMetadata: _, ...bare } = JSON.parse(new TextDecoder().decode(json))
    const read = (parts: OneOrMore) => modelOfFile(parts, 'a file', modules)
    const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
    await expect(read([text(bare), weights])).rejects.toThrow('a file: was not written by Mixlab')
    await expect(read([json, weights.subarray(4)])).rejects.toThrow(/^a file: tensor '.*' has \d+ bytes, shape/)
    await expect(read([text({ ...bare, weightsManifest: 3 }), weights])).rejects.toThrow(
      'a file: is no graph model of TensorFlow.js',
    )
    const halves = [weights.subarray(0, 99), weights.subarray(99)]
    ;(await read([json, ...halves])).dispose()
    const [onnx] = (await partsOf('images/mixer', 'onnx')) as [Uint8Array]
    await expect(read(onnx.subarray(0, 999))).rejects.toThrow('a file: is no ONNX file, or damaged')
  })
  it('is so with the convolutions of a RepMLP merged into its matrices', async () => {
    for (const name of ['images/repmlp', 'images/repmlpNet']) {
      expect(await difference(runOf(name), await fileOf(name, 'safetensors', { fold: true })), name).toBeLessThan(1e-5)
    }
  })
  it('is so with Toeplitz matrices written out, and with layers folded', async () => {
    const toeplitz = runOf('images/toeplitz')
    expect(await difference(toeplitz, await fileOf('images/toeplitz', 'safetensors', { toeplitz: true }))).toBe(0)
    for (const name of ['images/resmlp', 'images/local', 'images/localResmlp']) {
      const folded = await difference(runOf(name), await fileOf(name, 'safetensors', { fold: true }))
      expect(folded).toBeLessThan(1e-5)
    }
  })
  it.each([
    ['no JSON', () => '{', 'a file: its description is no JSON'],
    ['another version', (about: About) => ({ ...about, version: 2 }), 'its description.version: 2'],
    ['no input', ({ input: _, ...about }: About) => about, 'its description.input: missing'],
    ['a large input', withInput(['batch', 1e5, 1e5, 3]), 'its description.input.shape'],
    ['many blocks', withModel({ depth: 1e9 }), 'its description is of 1000000000 blocks, there are 30 tensors'],
    ['wide blocks', withModel({ dim: 1e6 }), 'its description is of a model of'],
    ['other sizes', withModel({ dim: 4, ffn: 4 }), /^a file: tensor 'stem\.proj\.weight' is \[8,3,4,4\]/],
    ['patches that do not fit', withModel({ patch: 5 }), 'its description is of a model that cannot be made'],
    ['another block', withModel({ block: 'nothing' }), 'nothing: there is no built-in block of this name'],
    ['code that is not there', withModel({ block: 'gated', code: 'a' }), 'there is no built-in block of this name'],
    [
      'another task',
      (about: About) => ({ ...about, task: 'nothing' }),
      "is of task 'nothing', whose models cannot be asked",
    ],
    ['no spec', (about: About) => ({ ...about, spec: 1 }), 'a file: its spec is of another shape'],
  ])('is refused with a description of %s', async (_, change, message) => {
    const { tensors, metadata } = readSafetensors(await fileOf('images/mixer'))
    const changed = change(JSON.parse(metadata.mixlab ?? ''))
    const mixlab = typeof changed === 'string' ? changed : JSON.stringify(changed)
    const before = tf.memory().numTensors
    const read = modelOfFile(writeSafetensors(tensors, { ...metadata, mixlab }), 'a file', modules)
    await expect(read).rejects.toThrow(message)
    expect(tf.memory().numTensors).toBe(before)
  })
  it('has the block that was trained where its code defines another of this name, or is refused', async () => {
    const { tensors, metadata } = readSafetensors(await fileOf('images/gated'))
    const { source, spec, ...about } = JSON.parse(metadata.mixlab ?? '')
    const another = `${source}\n// %% another\nconst another = block('gated', (x, { dim }) => residual(x, gated.run(x, { dim })))\n`
    const with_ = (model: object) => {
      const mixlab = JSON.stringify({ ...about, source: another, spec: { ...spec, model } })
      return writeSafetensors(tensors, { ...metadata, mixlab })
    }
    expect(await difference(runOf('images/gated'), with_(spec.model))).toBe(0)
    const { digest: _, ...unsaid } = spec.model
    const refused = "its code defines 2 blocks 'gated', and nothing says which of them it is"
    await expect(modelOfFile(with_(unsaid), 'a file', modules)).rejects.toThrow(refused)
  })
  it('has the code of a block of a cell, and else none', async () => {
    expect(descriptionOf(await fileOf('images/gated'), 'a')?.source).toContain("block('gated'")
    expect(descriptionOf(await fileOf('images/gmlp'), 'a')?.source).toBeNull()
  })
})

describe('what is asked', () => {
  /** What the model of a file and that of its run say. */
  async function both(name: string, question: Parameters<typeof ask>[1], top = 5) {
    const before = tf.memory().numTensors
    const own = runOf(name)
    const models = [
      await modelOfFile(await fileOf(name), 'model', modules),
      trainedOf(own.run, await rebuild(own.run, own.weights, memoryFiles({}), modules)),
    ]
    try {
      const said = []
      for (const model of models) said.push(await ask(model, question, top))
      expect(said[0]).toEqual(said[1])
      return said[0] ?? []
    } finally {
      for (const model of models) model.dispose()
      expect(tf.memory().numTensors).toBe(before)
    }
  }
  const total = (likely: { probability: number }[] = []) => likely.reduce((sum, each) => sum + each.probability, 0)
  const picture = { width: 40, height: 24, channels: 3 as const, pixels: new Uint8Array(40 * 24 * 3).fill(200) }

  it('is a picture of any size', async () => {
    const [answer] = await both('images/gated', { picture }, 100)
    expect(answer?.likely[0]?.name).toMatch(/[a-z]/)
    expect(total(answer?.likely)).toBeCloseTo(1, 5)
  })
  it.each(['images/gated', 'sequences/bert', 'clouds/mixer'])(
    'is many at once, each with the answer that it has alone: %s',
    async (name) => {
      const model = await modelOfFile(await fileOf(name), 'model', modules)
      const kind = model.preparation.kind
      const before = tf.memory().numTensors
      const questions: Question[] = Array.from({ length: 70 }, (_, i) => {
        if (kind === 'text') return { texts: ['a good film '.repeat(i % 5)] }
        const file = new TextEncoder().encode(`0 0 0\n1 0 ${i}\n0 1 0\n0 0 1\n`)
        const pixels = Uint8Array.from({ length: 40 * 24 * 3 }, (_, at) => (at * (i + 3)) % 256)
        if (kind === 'points') return { file: i === 7 ? new Uint8Array(3) : file, name: 'a.xyz' }
        return i === 7 ? { file: new Uint8Array(3), name: 'a.png' } : { picture: { ...picture, pixels } }
      })
      const together = await askAll(model, questions, 3)
      const alone = []
      for (const question of questions) alone.push(...(await askAll(model, [question], 3)))
      expect(together).toEqual(alone)
      const faults = together.flatMap((reply, i) => ('error' in reply ? [i] : []))
      expect(faults).toEqual(kind === 'text' ? [] : [7])
      expect(tf.memory().numTensors).toBe(before)
      model.dispose()
    },
  )
  it('is asked alone where the code of a model mixes what it is asked at once', async () => {
    const model = await modelOfFile(await fileOf('images/gmlp'), 'model', modules)
    const { apply } = model.model
    const mixing = {
      ...model,
      model: { ...model.model, apply: ((...given) => tf.mul(apply(...given), tf.sum(given[0]))) as typeof apply },
    }
    const before = tf.memory().numTensors
    const questions = [10, 90, 200].map((value) => ({
      picture: { ...picture, pixels: picture.pixels.slice().fill(value) },
    }))
    const alone = []
    for (const question of questions) alone.push({ answers: await ask(mixing, question, 3) })
    expect(await askAll(mixing, questions, 3)).toEqual(alone)
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()
  })
  it('is a text, or two', async () => {
    expect((await both('sequences/bert', { texts: ['a good film'] }))[0]?.likely).toHaveLength(2)
    expect((await both('means/gmlp', { texts: [''] }))[0]?.likely).toHaveLength(2)
    expect((await both('pairs/gmlp', { texts: ['one', 'other'] }))[0]?.likely.length).toBeGreaterThan(1)
  })
  it('is how a text goes on, or what stands at each [MASK]', async () => {
    const [next] = await both('masked/bert', { texts: ['the'] })
    expect(next?.likely).toHaveLength(5)
    const places = await both('masked/gmlp', { texts: ['the [MASK] is [MASK] .'] }, 60)
    expect(places.map(({ place }) => place)).toEqual([1, 2])
    for (const { likely } of places) expect(total(likely)).toBeCloseTo(1, 5)
    await expect(both('masked/gmlp', { texts: ['the '.repeat(30)] })).rejects.toThrow(
      '[MASK] is token 32, it reads 19; shorten the text',
    )
  })
  it('is a question with its passage, which the answers are parts of', async () => {
    const passage = 'the cat saw the dog and then a bird '.repeat(9)
    const [answer] = await both('spans/bert', { texts: ['who saw it', passage] })
    for (const { name } of answer?.likely ?? []) expect(passage).toContain(name)
  })
  it('is a file of points', async () => {
    const file = new TextEncoder().encode('0 0 0\n1 0 0\n0 1 0\n0 0 1\n')
    const [answer] = await both('clouds/mixer', { file, name: 'a.xyz' })
    expect(answer?.likely).toHaveLength(5)
  })
  it('is refused where it is of another kind', async () => {
    const texts = { texts: ['a'] }
    await expect(both('images/gmlp', texts)).rejects.toThrow('model: reads a PNG or JPEG file, no text')
    await expect(both('sequences/bert', { picture })).rejects.toThrow('model: reads one text, no file')
    await expect(both('pairs/bert', texts)).rejects.toThrow('model: reads two texts, not 1')
    await expect(both('spans/bert', texts)).rejects.toThrow('a question and a passage, not 1')
    await expect(both('clouds/mixer', { picture })).rejects.toThrow('reads an .off or .xyz file, no picture')
    const file = new Uint8Array([1, 2, 3])
    await expect(both('images/gmlp', { file, name: 'a.txt' })).rejects.toThrow('a.txt: neither a PNG nor a JPEG')
    await expect(both('clouds/mixer', { file, name: 'a.txt' })).rejects.toThrow('a.txt: neither an .off nor an .xyz')
  })
})
