import { beforeAll, describe, expect, it } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import type { ExportedRun } from '../../../engine/export/export.ts'
import { formats } from '../../../engine/export/formats/index.ts'
import { measure } from '../../../engine/export/measure.ts'
import { metricText } from '../../../engine/records/meaning.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { CATALOGUE, evaluated, exported, rebuilt, type Trained, trained } from './trained.ts'

onSimd()

const SMALL = `
  task: image({ data: shapes({ size: 16, train: 100, validation: 0.2, test: 20 }) }),
  variants: { mixer }, model: { patch: 4, dim: 8, depth: 1 }, seeds: 1,`
const OF_CELLS = `// %% cells
import { compare, image, metric, mixer, shapes } from 'mixlab'
const always = metric('always', { better: 'higher', unit: 'share' }, () => ({ add() {}, value: () => 0.25 }))
export const measured = compare('measured', { ${SMALL} metrics: [always], train: { steps: 2, batch: 8 } })
`
const AVERAGED = `// %% cells
import { compare, image, mixer, shapes } from 'mixlab'
export const averaged = compare('averaged', { ${SMALL} train: { steps: 3, batch: 8, ema: 0.9 } })
`

let runs: Trained[] = []
beforeAll(async () => {
  runs = await trained(CATALOGUE)
})
const run = (name: string) => runs.find(({ run }) => `${run.study}/${run.variant}` === name) as Trained
/** By what the file with the tensors ends in each format that has one. */
const READ = { safetensors: '.safetensors', npz: '.npz', torch: '.py.safetensors' } as const
type Readable = keyof typeof READ

const cardOf = ({ files }: Pick<ExportedRun, 'files'>, format: keyof typeof formats) =>
  new TextDecoder().decode(files[`${formats[format].ending}.md`])
/** The values of a card, as it has them. */
function measuredIn(card: string): Record<string, string> {
  const rows = /\n## Measured\n([\s\S]*)\n## Use\n/.exec(card)?.[1]?.matchAll(/^\| (\w+\/\w+) \| (.*) \|$/gm) ?? []
  return Object.fromEntries([...rows].map(([, name, value]) => [name, value]))
}
const valuesOf = ({ description }: Pick<ExportedRun, 'description'>) =>
  Object.fromEntries(Object.entries(description.metrics).map(([name, { value }]) => [name, value]))

describe('card and description have the metrics of the weights in the file', () => {
  it('which are those of the test, of every model and task', async () => {
    const wrong: unknown[] = []
    const early = runs.filter(({ chosen, last }) => chosen.step < last.chosen.step)
    const firsts = [...Map.groupBy(runs, ({ run }) => run.study).values()].flatMap(([first]) => first ?? [])
    for (const [i, each] of [...new Set([...sample(runs), ...firsts])].entries()) {
      const format = (Object.keys(READ) as Readable[])[i % 3] as Readable
      const one = await exported(each, format)
      const found = await evaluated(one.files[READ[format]] as Uint8Array, `model${READ[format]}`)
      const shown = Object.entries(one.description.metrics).map(([name, { value, ...meaning }]) => {
        return [name, metricText(value, meaning)]
      })
      const said = { file: found, description: valuesOf(one), card: measuredIn(cardOf(one, format)) }
      const right = { file: each.tests, description: each.tests, card: Object.fromEntries(shown) }
      if (JSON.stringify(said) !== JSON.stringify(right)) wrong.push(each.run.study, each.run.variant, said, right)
    }
    expect(wrong).toEqual([])
    expect(early.length / runs.length).toBeGreaterThan(0.9)
    expect(new Set(early.map(({ run }) => run.study))).toEqual(new Set(runs.map(({ run }) => run.study)))
  })
  it.each(['images/resnet', 'images/resmlp', 'images/toeplitz', 'masked/bert', 'spans/gmlp'])(
    'which are the last ones or changed ones where these are taken: %s',
    async (name) => {
      const own = run(name)
      const last = { ...own, ...own.last }
      const more = { fold: name.endsWith('/resmlp'), toeplitz: name.endsWith('/toeplitz') }
      const one = await exported(last, 'safetensors', more)
      expect(await evaluated(one.files['.safetensors'] as Uint8Array, 'a')).toEqual(valuesOf(one))
      expect(valuesOf(one)['test/loss']).not.toBe(own.tests['test/loss'])
      expect(one.description).toMatchObject({ weights: 'last', tested: false, testedAt: own.chosen.step })
      const card = cardOf(one, 'safetensors')
      expect(card).toContain(
        `| weights | the last, after 5 steps; the test of the run was made with others, after ${own.chosen.step} step`,
      )
      expect(card).toContain('The test of the run was made with other weights: who chooses')
    },
  )
  it('whatever the format: an ONNX file has those of its weights, and none is of tensors alone', async () => {
    const own = run('images/mixer')
    for (const format of ['onnx', 'tfjs'] as const) {
      const one = await exported(own, format)
      expect(valuesOf(one)).toEqual(own.tests)
      expect(one.description).toMatchObject({ weights: 'best', step: own.chosen.step, tested: true, averaged: false })
      expect(cardOf(one, format)).not.toContain('mixlab evaluate')
    }
  })
})

describe('what is said of the tests', () => {
  it('is on how many examples they were, and how they are evaluated again', async () => {
    const own = run('images/mixer')
    const all = await exported(own, 'npz')
    expect(all.description.examples).toEqual({ test: 20 })
    expect(cardOf(all, 'npz')).toContain(
      'on 20 examples of `test`; trained with seed 1. `mixlab evaluate model.npz` comes',
    )
    const few = await exported(own, 'npz', { examples: 8 })
    expect(few.description.examples).toEqual({ test: 8 })
    expect(valuesOf(few)).not.toEqual(own.tests)
    expect(await evaluated(few.files['.npz'] as Uint8Array, 'a', 8)).toEqual(valuesOf(few))
    const card = cardOf(few, 'npz')
    expect(card).toContain('on 8 examples of `test`, the first ones; trained')
    expect(card).toContain('`mixlab evaluate model.npz --examples 8` comes to the same.')
    const { description } = await exported(run('pairs/bert'), 'npz')
    expect(description.examples).toEqual({ test: 20, mismatched: 20 })
  })
  it('is that the run itself was tested on fewer', async () => {
    const own = run('images/mixer')
    const spec = own.run.spec as { train: object }
    const quick = { ...own, run: { ...own.run, spec: { ...spec, train: { ...spec.train, testExamples: 5 } } } }
    expect(cardOf(await exported(quick, 'npz'), 'npz')).toContain('The run itself was tested on the first 5.')
    expect(cardOf(await exported(own, 'npz'), 'npz')).not.toContain('The run itself')
  })
  it('is that there was none yet', async () => {
    const own = run('images/mixer')
    const one = await exported({ ...own, chosen: { ...own.chosen, testedAt: null } }, 'npz')
    expect(one.description).toMatchObject({ tested: false, testedAt: null })
    expect(cardOf(one, 'npz')).toContain('The run has made no test: who chooses')
  })
  it('is nothing where the data is not that of the run any more', async () => {
    const own = run('sequences/bert')
    const spec = { ...(own.run.spec as object), data: 'another' }
    const one = await exported({ ...own, run: { ...own.run, spec } }, 'npz')
    const why =
      'The data set is not the one that the run was trained with any more: nothing was evaluated, and the names of classes are those of today.'
    expect(one.description).toMatchObject({ metrics: {}, examples: {}, missing: [why] })
    expect(cardOf(one, 'npz')).toContain(`## Measured\n\n${why}\n\n## Use`)
  })
  it('is nothing where the tests cannot be read, whose numbers stood for others', async () => {
    const own = run('images/mixer')
    const { model, task, dispose } = await rebuilt(own)
    const evalBatches: Task['evalBatches'] = async function* (split, ...rest) {
      if (split === 'test') throw new MixlabError('data', 'test.png', 'no such file')
      yield* task.evalBatches(split, ...rest)
    }
    const options = { limit: 10, onBatch: () => {} }
    const found = await measure(model, { ...task, evalBatches }, own.run, options)
    dispose()
    expect(found).toMatchObject({
      metrics: {},
      examples: {},
      missing: ['The tests could not be evaluated: test.png: no such file'],
    })
  })
  it('has the metrics of cells, or says which are missing where these cannot be evaluated', async () => {
    const [own] = (await trained(OF_CELLS)) as [Trained]
    const one = await exported(own, 'npz')
    expect(own.tests['test/always']).toBe(0.25)
    expect(valuesOf(one)).toEqual(own.tests)
    expect(cardOf(one, 'npz')).toContain('| test/always | 25.00 % |')
    const lost = await exported({ ...own, run: { ...own.run, origin: null } }, 'npz')
    expect(valuesOf(lost)['test/always']).toBeUndefined()
    expect(lost.description.missing).toEqual([expect.stringContaining('`always` was not evaluated')])
    expect(cardOf(lost, 'npz')).toContain('`always` was not evaluated: the cells')
  })
  it('has averages as such', async () => {
    const [own] = (await trained(AVERAGED)) as [Trained]
    const one = await exported(own, 'safetensors')
    expect([one.description.averaged, valuesOf(one)]).toEqual([true, own.tests])
    expect(await evaluated(one.files['.safetensors'] as Uint8Array, 'a')).toEqual(own.tests)
    expect(cardOf(one, 'safetensors')).toContain('with them; exponential moving averages |')
  })
})
