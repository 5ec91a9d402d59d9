import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../../../engine/data/digest.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { LONG } from '../../long.ts'
import { sampleRun, storeAt } from '../store/samples.ts'
import { freshFolder, mixlab, NOTEBOOK, sharedFolder, trainIn, writeNotebook } from './recorder.ts'

const REVIEWS = `// %% study
import { compare, gmlp, sequence, tsv } from 'mixlab'
export const reviews = compare('reviews', {
  task: sequence({
    data: tsv({ path: 'reviews', columns: { first: 'sentence', label: 'label' }, leaveOut: ['?'] }),
    tokens: 8,
  }),
  model: { dim: 8, depth: 1 },
  variants: { gmlp: gmlp() },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`

/** A workspace with the trained runs of a notebook. */
const folder = sharedFolder()
beforeAll(() => trainIn(folder))

describe('mixlab runs', () => {
  it('lists what is in the store', async () => {
    const { out } = await mixlab(['runs', '--workspace', folder])
    expect(out).toHaveLength(5)
    expect(out[0]).toMatch(
      /^id {2}study {2}variant {2}seed {2}status {2}step {2}compared by +last {2}backend {2}started$/,
    )
    const listed = JSON.parse((await mixlab(['runs', '--json', '--workspace', folder])).out[0] ?? '')
    expect(listed[0]).toMatchObject({ study: 'tiny', status: 'done', step: 3, steps: 3, hasWeights: true })
  })
  it('shows the first 50 of many, and all where asked', async () => {
    const folder = freshFolder()
    const store = storeAt(folder)
    for (let i = 0; i < 60; i++) store.beginRun(sampleRun({ variant: `v${i}`, seed: i }))
    store.close()
    const at = ['--workspace', folder]
    const { out, err } = await mixlab(['runs', ...at])
    expect([out.length, err]).toEqual([51, ['the newest 50 runs; --all shows all, --filter some']])
    const some = await mixlab(['runs', '--columns', 'variant', ...at])
    expect([some.out.length, some.err]).toEqual([51, ['the first 50 of 60; --all shows all']])
    for (const more of [['--all'], ['--all', '--columns', 'variant'], ['--format', 'csv']]) {
      const { out, err } = await mixlab(['runs', ...more, ...at])
      expect([out.length, err]).toEqual([61, []])
    }
    expect(JSON.parse((await mixlab(['runs', '--json', ...at])).out[0] ?? '')).toHaveLength(60)
  })
  it('says when there is none', async () => {
    const folder = freshFolder()
    expect((await mixlab(['runs', '--workspace', folder])).out).toEqual([`no runs in ${folder}`])
    expect((await mixlab(['runs', '--filter', 'tag:keep', '--workspace', folder])).out).toEqual(['no such runs'])
  })
  it('writes names into CSV that no spreadsheet takes for formulas, and as they are where asked', async () => {
    const folder = freshFolder()
    const at = ['--workspace', folder]
    const text = NOTEBOOK.replace('mixer: mixer()', "'=1+1': mixer()").replace('seeds: 2', 'seeds: 1')
    await mixlab(['run', writeNotebook(folder, text), '--only', '=1+1', ...at])
    const asked = ['runs', '--format', 'csv', '--columns', 'variant,seed', ...at]
    expect((await mixlab(asked)).out).toEqual(['variant,seed', "'=1+1,1"])
    expect((await mixlab([...asked, '--raw'])).out).toEqual(['variant,seed', '=1+1,1'])
  })
  it('filters, sorts, groups and writes tables for papers', async () => {
    const asked = async (...options: string[]) => (await mixlab(['runs', ...options, '--workspace', folder])).out
    expect(await asked('--filter', '-variant:mixer dim:8', '--columns', 'id,variant,lr', '--sort', '-id')).toEqual([
      'id  variant     lr',
      ' 3  plain    0.001',
      ' 1  plain    0.001',
    ])
    expect((await asked('--group')).slice(0, 2)).toEqual([
      expect.stringMatching(/^study {2}variant {2}seed +test\/accuracy, % /),
      expect.stringMatching(/^tiny +mixer +1, 2 +\d+\.\d+ ± \d+\.\d+ \(2\) +3 /),
    ])
    const small = ['--group', '--columns', 'variant,seed', '--sort', 'variant', '--format']
    expect(await asked(...small, 'markdown')).toEqual([
      '| variant | seed |',
      '| ------- | ---: |',
      '| mixer   | 1, 2 |',
      '| plain   | 1, 2 |',
    ])
    expect(await asked(...small, 'latex')).toContain('  mixer & 1, 2 \\\\')
    expect(await asked(...small, 'csv')).toEqual(['variant,seed', 'mixer,"1, 2"', 'plain,"1, 2"'])
    const [json] = await asked('--filter', 'mixer seed:1', '--columns', 'seed,task', '--json')
    expect(JSON.parse(json ?? '')).toMatchObject({ total: 1, rows: [{ values: { seed: 1, task: 'image' } }] })
  })
  it.each([
    [['--format', 'tex'], "--format: unknown format 'tex' (known: table, markdown, latex, csv, json)"],
    [['--filter', 'status:dnoe'], "status:dnoe: unknown status 'dnoe' (did you mean 'done'?)"],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await mixlab(['runs', ...words, '--workspace', freshFolder()])
    expect([code, err]).toEqual([1, [`mixlab: ${message}`]])
  })
})

describe('mixlab show', () => {
  it('finds a run by id, by study/variant/seed and by its key', async () => {
    const show = async (run: string) =>
      JSON.parse((await mixlab(['show', run, '--json', '--workspace', folder])).out[0] ?? '')
    const run = await show('1')
    expect(run).toMatchObject({ variant: 'plain', seed: 1, status: 'done' })
    expect(run.code).toContain("block('plain'")
    expect(run.spec).toMatchObject({ seed: 1, model: { dim: 8 }, train: { steps: 3 } })
    expect((await show('tiny/plain/1')).id).toBe(1)
    expect((await show(run.key.slice(0, 12))).id).toBe(1)
  })
  it('names a run that is not there', async () => {
    const { code, err } = await mixlab(['show', '99', '--workspace', folder])
    expect(code).toBe(1)
    expect(err[0]).toContain('99')
  })
})

describe('mixlab export', () => {
  it('writes the weights of a run under the names of timm', async () => {
    const path = join(folder, 'w.safetensors')
    const { code } = await mixlab(['export', 'tiny/mixer/1', '-o', path, '--workspace', folder])
    expect(code).toBe(0)
    const shapes = Object.fromEntries(
      readSafetensors(readFileSync(path)).tensors.map(({ name, shape }) => [name, shape]),
    )
    expect(shapes['stem.proj.weight']).toEqual([8, 3, 16, 16])
    expect(shapes['blocks.0.mlp_tokens.fc1.weight']).toEqual([4, 4])
    expect(shapes['blocks.0.mlp_channels.fc1.weight']).toEqual([32, 8])
    expect(shapes['head.weight']).toEqual([10, 8])
  })
  it('reads again what it has written, and keeps with the run how far it was off', async () => {
    const path = join(folder, 'plain.onnx')
    const { out } = await mixlab(['export', 'tiny/plain/1', '-o', path, '--workspace', folder])
    expect(out.slice(0, 2)).toEqual([expect.stringMatching(/plain\.onnx: [\d,]+ bytes$/), `${path}.md`])
    expect(out.slice(2)).toEqual([
      expect.stringMatching(
        /^weights: (best on validation|the last), after \d+ steps?; the test of the run was made with them$/,
      ),
      expect.stringMatching(/^evaluated on 20 examples of test: test\/loss \d\.\d{4}, test\/accuracy \d+\.\d\d %, /),
      expect.stringMatching(/^read again: largest difference of a logit on 27 examples \d\.\de-\d+$/),
    ])
    expect(readFileSync(`${path}.md`, 'utf8')).toContain("block('plain'")
    const shown = JSON.parse((await mixlab(['show', '1', '--json', '--workspace', folder])).out[0] ?? '')
    expect(shown.exports).toEqual([
      expect.objectContaining({ format: 'onnx', examples: 27, sha256: digest(readFileSync(path)) }),
    ])
    expect(shown.exports[0].difference).toBeLessThan(1e-5)
  })
  it('leaves nothing behind of what it cannot write', async () => {
    const none = await mixlab(['export', '1', '-o', join(folder, 'a.npz'), '--weights', '7', '--workspace', folder])
    expect(none.err).toEqual([
      expect.stringMatching(/^mixlab: run 1: has no weights of step 7 \(kept: .*last, of step \d+\)$/),
    ])
    const { err } = await mixlab(['export', '1', '-o', join(folder, 'a.onnx'), '--fold', '--workspace', folder])
    expect(err[0]).toMatch(/^mixlab: --fold: run 1 is no ResMLP for images, /)
    expect(readdirSync(folder).filter((name) => name.startsWith('a.'))).toEqual([])
  })
  it.runIf(LONG)(
    'writes the tokenizer of a text model beside its weights; what was left out of the data was said',
    async () => {
      const folder = freshFolder()
      mkdirSync(join(folder, 'reviews'))
      const rows = Array.from({ length: 40 }, (_, i) => (i % 2 ? 'a fine film\t1' : 'a dull film\t0'))
      writeFileSync(join(folder, 'reviews', 'train.tsv'), ['sentence\tlabel', ...rows, 'a film\t?'].join('\n'))
      const { err } = await mixlab(['run', writeNotebook(folder, REVIEWS), '--workspace', folder])
      expect(err[0]).toBe("reviews/train.tsv: 1 of 41 rows left out: label is '?'")
      const path = join(folder, 'w.safetensors')
      const { out } = await mixlab(['export', '1', '-o', path, '--workspace', folder])
      expect(out[1]).toBe(join(folder, 'w.tokenizer.json'))
      const tokenizer = readFileSync(join(folder, 'w.tokenizer.json'), 'utf8')
      expect(Object.keys(JSON.parse(tokenizer).model.vocab)).toContain('dull')
      const { metadata } = readSafetensors(readFileSync(path))
      expect(JSON.parse(metadata['tokenizer.json'] ?? '').tokens).toContain('dull')
      expect(JSON.parse(metadata.mixlab ?? '')).toMatchObject({
        task: 'sequence',
        classes: ['0', '1'],
        input: { shape: ['batch', 8], dtype: 'int32', preparation: { kind: 'text', tokens: 8, pool: 'first' } },
      })
    },
  )
  it.runIf(LONG)('writes several runs as one archive, and keeps the proof of each', async () => {
    const path = join(folder, 'all.zip')
    const words = ['export', '1', 'tiny/mixer/1', '1', '-o', path, '--format', 'torch', '--json']
    const { out } = await mixlab([...words, '--workspace', folder])
    const { runs, format } = JSON.parse(out[0] ?? '')
    expect([runs.length, format, runs[0].proof.examples]).toEqual([2, 'torch', 27])
    const files = Object.keys(unzipSync(readFileSync(path)))
    expect(files).toContain('tiny-plain-seed1/tiny-plain-seed1.py.safetensors')
    expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(new Set(['tiny-plain-seed1', 'tiny-mixer-seed1']))
    const shown = JSON.parse((await mixlab(['show', 'tiny/mixer/1', '--json', '--workspace', folder])).out[0] ?? '')
    expect(shown.exports).toContainEqual(expect.objectContaining({ format: 'torch', examples: 27 }))
  })
  it('writes no archive where one of its runs cannot be written', async () => {
    const words = ['export', '1', '99', '-o', join(folder, 'none.zip'), '--format', 'onnx', '--workspace', folder]
    expect((await mixlab(words)).err[0]).toContain('99')
    expect(readdirSync(folder)).not.toContain('none.zip')
  })
  it.each([
    [['1', '2', '-o', 'f.onnx'], /f\.onnx', expected a path that ends in \.zip for several runs$/],
    [
      ['1', '-o', 'f.npz', '--weights', 'first'],
      "--weights: 'first', expected tested, best, last or a number of steps",
    ],
    [['1', '-o', 'f.npz', '--weights', 'last', '--best'], "--weights: 'last' beside --best"],
    [['1', '-o', 'f.npz', '--examples', '0'], "--examples: '0', expected a whole number of at least 1"],
    [['1', '-o', 'f.zip'], '--format: missing, an archive has one of safetensors, npz, onnx, tfjs, torch'],
    [['1'], '--output: missing, expected the file to write, -o PATH'],
    [
      ['1', '-o', 'f.bin'],
      /^mixlab: --output: '.*f\.bin', expected a path that ends in \.safetensors \(safetensors\), \.npz \(npz\), \.onnx/,
    ],
    [
      ['1', '-o', 'f.onnx', '--format', 'safetensors'],
      /f\.onnx', expected a path that ends in \.safetensors \(safetensors\)$/,
    ],
    [['1', '-o', 'f', '--format', 'safetensor'], "--format: unknown format 'safetensor' (did you mean 'safetensors'?)"],
  ])('refuses %j', async (words, message) => {
    expect((await mixlab(['export', ...words])).err[0]).toMatch(message)
  })
})

describe('mixlab examples', () => {
  const asked = async (...words: string[]) => mixlab(['examples', ...words, '--workspace', folder])
  it('says what a run came to on each test example, and the same when it is evaluated again', async () => {
    const { out } = await asked('1', '--top', '4')
    expect(out[0]).toMatch(/^run 1, tiny\/plain\/1, test: \d+ of 20 right, mean cross entropy \d/)
    expect(out[2]).toMatch(/^example {2}class +taken for +probability +of its class +cross entropy$/)
    expect(out).toHaveLength(9)
    expect(out[7]).toBe('and 16 more, --top N')
    const again = await asked('1', '--csv', '--again')
    expect(again.err).toEqual(['run 1: the same as what it keeps'])
    expect(again.out).toHaveLength(21)
    expect(again.out).toEqual((await asked('1', '--csv')).out)
    const { examples } = JSON.parse((await asked('1', '--json', '--wrong')).out[0] ?? '')
    expect(examples.every(({ right }: { right: number }) => right === 0)).toBe(true)
  })
  it('says where two runs disagree', async () => {
    const found = JSON.parse((await asked('1', '2', '--json')).out[0] ?? '')
    expect(found.examples).toBe(20)
    expect(found.firstBetter + found.secondBetter + found.equal).toBe(20)
    expect(found.first).toHaveLength(found.firstBetter)
    expect(found.text[0]).toMatch(/^They (dis)?agree on /)
    const { out } = await asked('1', '2', '--csv')
    expect(out).toHaveLength(1 + found.firstBetter + found.secondBetter)
  })
  it.each([
    [['99'], 'run 99: no such run'],
    [['1', '--class', 'rows'], "--class: unknown class 'rows'"],
    [['1', '--test', 'val'], "--test: run 1 has no test 'val' (known: test)"],
    [['1', '--top', '0'], "--top: '0', expected a whole number of at least 1"],
    [['1', '--right', '--wrong'], '--right: stands beside --wrong'],
    [['1', '--json', '--csv'], '--csv: stands beside --json'],
  ])('refuses %j', async (words, message) => {
    expect((await asked(...words)).err[0]).toContain(message)
  })
})
