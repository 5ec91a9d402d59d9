import { beforeAll, describe, expect, it } from 'vitest'
import type { ExportedRun } from '../../../engine/export/export.ts'
import { formats } from '../../../engine/export/formats/index.ts'
import { metricText } from '../../../engine/records/meaning.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { CATALOGUE, evaluated, exported, type Trained, trained } from './trained.ts'

onSimd()

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
    for (const [i, each] of runs.entries()) {
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
        `| weights | the last, after 5 steps; the test of the run was made with others, after ${own.chosen.step} steps`,
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
