import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { keyOf, uniform } from '../../../engine/random.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { idxBytes, idxLabels } from '../../engine/data/images/idx-bytes.ts'
import { LONG, sample } from '../../long.ts'
import { mixlab, sharedFolder, writeNotebook } from './recorder.ts'

const STUDY = `// %% study
import { adamw, block, compare, dense, gmlp, idx, image, mixer, residual, sequence, world } from 'mixlab'
const train = { steps: 30, batch: 16, optimizer: adamw({ learningRate: 1e-2 }) }
const own = block('own', (x, { dim }) => residual(x, dense(x, dim)))
export const pictures = compare('pictures', {
  task: image({ data: idx({ path: 'digits', classes: ['dark', 'grey', 'light'] }) }),
  model: { patch: 4, dim: 8, depth: 1 },
  variants: { mixer: mixer()${LONG ? ', own' : ''} },
  train,
  seeds: 1,
})
export const texts = compare('texts', {
  task: sequence({ data: world({ train: 120, test: 30 }), tokens: 12, tokenizer: { vocabulary: 40 } }),
  model: { dim: 8, depth: 1 },
  variants: { gmlp: gmlp() },
  train,
  seeds: 1,
})
// so large a rate that validation is best long before the last step
export const spoiled = compare('spoiled', {
  task: image({ data: idx({ path: 'digits', classes: ['dark', 'grey', 'light'] }) }),
  model: { patch: 4, dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { ...train, optimizer: adamw({ learningRate: 3 }), snapshots: 2 },
  seeds: 1,
})
`

/** Pictures of 8 x 8 pixels and three shades; `shadeOf` gives that of a label. */
function writeDigits(folder: string, shadeOf: (label: number) => number, classes = 3, size = 8): void {
  mkdirSync(folder)
  for (const [part, count] of [['train', 90] as const, ['t10k', 30] as const]) {
    const labels = Array.from({ length: count }, (_, i) => i % classes)
    const noise = (i: number) => 40 * uniform(keyOf(1, part), i)
    const pixels = labels.flatMap((label, i) =>
      Array.from({ length: size * size }, (_, at) => 20 + 90 * shadeOf(label) + noise(i * size * size + at)),
    )
    writeFileSync(join(folder, `${part}-images-idx3-ubyte`), idxBytes([count, size, size], pixels))
    writeFileSync(join(folder, `${part}-labels-idx1-ubyte`), idxLabels(labels))
  }
}

const valuesIn = (metrics: Record<string, { value: number }>) =>
  Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]))

let folder = ''
let exported = ''
beforeAll(async () => {
  folder = sharedFolder()
  writeDigits(join(folder, 'digits'), (label) => label)
  writeDigits(join(folder, 'reversed'), (label) => 2 - label)
  writeDigits(join(folder, 'two'), (label) => label, 2)
  writeDigits(join(folder, 'large'), (label) => label, 3, 12)
  expect((await mixlab(['run', writeNotebook(folder, STUDY), '--workspace', folder])).code).toBe(0)
  exported = join(folder, 'exported.safetensors')
  await mixlab(['export', 'pictures/mixer/1', '-o', exported, '--workspace', folder])
})
const evaluated = async (...argv: string[]) => mixlab(['evaluate', ...argv, '--workspace', folder])
const found = async (...argv: string[]) => {
  const { out, err } = await evaluated(...argv, '--json')
  expect(err).toEqual([])
  return JSON.parse(out[0] ?? '')
}
/** What the run of pictures comes to; asked once, for several tests compare with it. */
let asked: ReturnType<typeof found> | null = null
const ofPictures = () => {
  asked ??= found('pictures/mixer/1')
  return asked
}
const digits = (path: string, classes: string) =>
  `idx({ path: '${path}', classes: [${[...classes.split(' ')].map((name) => `'${name}'`)}] })`

describe('mixlab evaluate', () => {
  it('comes to what the run came to, and says that it is not its result', async () => {
    for (const run of sample(['pictures/mixer/1', 'texts/gmlp/1'])) {
      const { metrics } = JSON.parse((await mixlab(['show', run, '--json', '--workspace', folder])).out[0] ?? '')
      const again = await (run === 'pictures/mixer/1' ? ofPictures() : found(run))
      for (const name of ['test/loss', 'test/accuracy'])
        expect(again.metrics[name].value).toBeCloseTo(metrics[name].last, 6)
      expect(again.examples).toEqual({ test: 30 })
      expect(again.notes).toEqual([expect.stringContaining('not kept: the test of the run was made once')])
      const validated = await found(run, '--best', '--part', 'validation')
      expect(validated.metrics['validation/accuracy'].value).toBeCloseTo(metrics['validation/accuracy'].best, 6)
      expect(validated.notes).toEqual([expect.stringContaining('these examples chose the weights')])
    }
  })
  it('says in a table what was evaluated, on what, and what each metric means', async () => {
    const { out } = await evaluated('pictures/mixer/1', '--data', join(folder, 'reversed'))
    expect(out[0]).toBe(`run 1 on idx in ${join(folder, 'reversed')}: test, 30 examples`)
    expect(out.join('\n')).toMatch(/test\/accuracy +\d+\.\d\d % +\S/)
    expect(out.join('\n')).not.toContain('not kept')
  })
  it.runIf(LONG)('goes by the names of classes, whatever their order', async () => {
    const own = await ofPictures()
    expect(own.metrics['test/accuracy'].value).toBeGreaterThan(0.9)
    const turned = await found('pictures/mixer/1', '--data', digits('reversed', 'light grey dark'))
    expect(turned.metrics['test/accuracy'].value).toBe(own.metrics['test/accuracy'].value)
    expect(turned.notes).toEqual(['the data set has the classes in another order; they go by name'])
    expect(turned.report.test.classes).toEqual(['light', 'grey', 'dark'])
    const numbered = await found('pictures/mixer/1', '--data', "idx({ path: 'reversed' })")
    expect(numbered.metrics['test/accuracy'].value).toBeLessThan(0.5)
    expect(numbered.notes).toEqual([
      "the data set calls its classes otherwise; they go by their place: its 0, 1, 2, the model's dark, grey, light",
    ])
  })
  it.runIf(LONG)(
    'comes to what the card and the description of an exported file say, whichever weights are in it',
    async () => {
      const { metrics } = JSON.parse(
        (await mixlab(['show', 'spoiled/mixer/1', '--json', '--workspace', folder])).out[0] ?? '',
      )
      const tests = new Set<number>()
      for (const [weights, name] of [
        ['tested', 'a.npz'],
        ['last', 'b.safetensors'],
        ['15', 'c.npz'],
      ] as const) {
        const path = join(folder, name)
        const words = ['export', 'spoiled/mixer/1', '-o', path, '--weights', weights, '--json', '--workspace', folder]
        const said = JSON.parse((await mixlab(words)).out[0] ?? '')
        const again = await found(path)
        expect(said.examples).toEqual(again.examples)
        expect(valuesIn(said.metrics)).toEqual(valuesIn(again.metrics))
        expect(valuesIn((await found('spoiled/mixer/1', '--weights', weights)).metrics)).toEqual(
          valuesIn(again.metrics),
        )
        const { out } = await evaluated(path)
        const rows = /metric +value([\s\S]*?)\n\n/.exec(out.join('\n'))?.[1]?.match(/test\/\S+ +\S+( %)?/g) ?? []
        const card = readFileSync(`${path}.md`, 'utf8')
        expect(rows).toHaveLength(2)
        for (const row of rows) expect(card).toContain(`| ${row.replace(/ {2,}/, ' | ')} |`)
        expect(card.includes('the test of the run was made with them')).toBe(weights === 'tested')
        tests.add(again.metrics['test/loss'].value)
        if (weights !== 'tested') continue
        expect(said.weights.step).toBe(metrics['chosen/step'].last)
        expect(said.weights.step).toBeLessThan(30)
        for (const split of ['test/loss', 'test/accuracy']) expect(said.metrics[split].value).toBe(metrics[split].last)
      }
      expect(tests.size).toBe(3)
    },
  )
  it('says which weights of a run these are, and takes no other of a file', async () => {
    const { out } = await evaluated('spoiled/mixer/1', '--weights', 'last', '--examples', '5')
    expect(out.slice(0, 2)).toEqual([
      expect.stringMatching(/^run \d+ on idx in digits: test, 5 examples$/),
      expect.stringMatching(
        /^weights: the last, after 30 steps; the test of the run was made with others, after \d+ steps$/,
      ),
    ])
    expect((await evaluated(exported, '--best')).err[0]).toMatch(
      /exported\.safetensors is a file, which has one kind of weights$/,
    )
  })
  it.runIf(LONG)('reads a file that was exported, with the data that it names', async () => {
    const paths = ['mixer.safetensors', 'gmlp.npz', 'own.npz'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const names = ['pictures/mixer/1', 'texts/gmlp/1', 'pictures/own/1']
    for (const [i, path] of paths.entries()) await mixlab(['export', names[i] ?? '', '-o', path, '--workspace', folder])
    for (const [i, path] of paths.slice(0, 2).entries()) {
      expect((await found(path)).metrics).toEqual((await found(names[i] ?? '')).metrics)
    }
    const { out, err } = await evaluated(paths[2], '--json')
    expect(err).toEqual(['own.npz has the code of its block in it, which runs with no rights'])
    expect(JSON.parse(out[0] ?? '').metrics).toEqual((await found('pictures/own/1')).metrics)
  })
  it('reads a file from elsewhere, whose classes have no names', async () => {
    const foreign = join(folder, 'foreign.safetensors')
    writeFileSync(foreign, writeSafetensors(readSafetensors(readFileSync(exported)).tensors))
    const half = ['--mean', '0.5', '--std', '0.5']
    expect((await evaluated(foreign, ...half)).err[0]).toContain('does not say what it was trained on; name a data set')
    const { metrics, notes } = await found(foreign, '--data', "idx({ path: 'digits' })", ...half)
    expect(metrics).toEqual((await ofPictures()).metrics)
    expect(notes).toEqual([
      expect.stringContaining('as usual: --activation gelu'),
      expect.stringContaining('pictures taken as square, 8 x 8'),
      expect.stringContaining("its 0, 1, 2, the model's class 0, class 1, class 2"),
    ])
  })
  it.runIf(LONG)('says how much of what a model says is not a number, and that all of it is none', async () => {
    const [some, all] = ['some.safetensors', 'all.safetensors'].map((name) => join(folder, name)) as [string, string]
    const { tensors, metadata } = readSafetensors(readFileSync(exported))
    const bias = tensors.find(({ name }) => name === 'head.bias')?.values as Float32Array
    bias[1] = Number.POSITIVE_INFINITY
    writeFileSync(all, writeSafetensors(tensors, metadata))
    const none = await evaluated(all, '--json')
    expect([none.code, none.out]).toEqual([1, []])
    expect(none.err[0]).toContain("in 30 of 30 answers; of its weights 'head.bias' has 1 of 3 NaN or infinite")
    // light pictures alone: their stem leaves the numbers
    bias[1] = 0
    const stem = tensors.find(({ name }) => name === 'stem.proj.weight')?.values as Float32Array
    stem.fill(3e37)
    writeFileSync(some, writeSafetensors(tensors, metadata))
    const { code, out } = await evaluated(some, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out[0] ?? '').notes[0]).toMatch(
      /its output is not a number in \d+ of 30 answers; its weights are all finite/,
    )
  })
  it.each(
    sample([
      ['pictures/mixer/1', 'world()', "run 1: is of task image: unknown data set 'world'"],
      ['texts/gmlp/1', 'mnist', "is of task sequence: unknown data set 'mnist'"],
      ['pictures/mixer/1', "idx({ path: 'two' })", 'knows 3 classes (dark, grey, light), the data set has 2 (0, 1)'],
      [
        'pictures/mixer/1',
        "idx({ path: 'large' })",
        'reads pictures of 8 x 8 pixels in grey, the data set has pictures of 12 x 12 pixels in grey',
      ],
      ['pictures/mixer/1', './nothing', "--data: './nothing': no such file or folder"],
      ['pictures/mixer/1', "idx({ path: 'nothing' })", 'nothing'],
      ['texts/gmlp/1', '.', "say how '"],
      ['99', 'mnist', '99'],
    ] as const),
  )('refuses %s with %s', async (run, data, message) => {
    const { code, err } = await evaluated(run, '--data', data)
    expect([code, err.at(-1)]).toEqual([1, expect.stringContaining(message)])
  })
  it('refuses a part that there is not', async () => {
    expect((await evaluated('1', '--part', 'train')).err[0]).toContain("part: unknown part 'train' (known: validation")
  })
})
