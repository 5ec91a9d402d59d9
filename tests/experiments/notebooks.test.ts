import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { traceModel } from '../../engine/cost/trace.ts'
import * as mixlab from '../../engine/index.ts'
import { createModel } from '../../engine/nn/model.ts'
import { evaluateAll, parseNotebook } from '../../engine/notebook/index.ts'
import { provenanceOf } from '../../engine/notebook/provenance.ts'
import { isStudy, type Study } from '../../engine/study/compare.ts'
import { resolveStudy } from '../../engine/study/design/resolve.ts'
import { checkGradients } from '../../engine/study/gradients/check.ts'
import { openStudy } from '../../engine/study/open.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'
import { sample } from '../long.ts'

const folder = resolve(import.meta.dirname, '../../experiments')
const notebooks = globSync('*.ts', { cwd: folder })

/** Those whose models' gradients are checked. */
const derived = new Set(sample(notebooks))

describe.each(notebooks)('experiments/%s', (notebook) => {
  const text = readFileSync(join(folder, notebook), 'utf8')

  it('begins with its question, the source, how to run it and what comes out', () => {
    const [first, second] = parseNotebook(text)
    expect(first?.kind).toBe('markdown')
    const needed = ['?', 'https://arxiv.org/abs/', '**Run all**', `\`mixlab run ${notebook}\``, '--quick']
    expect(needed.filter((part) => !first?.source.includes(part))).toEqual([])
    expect(second).toMatchObject({ id: 'expected', kind: 'markdown' })
  })

  it('has studies that can be planned, without files, and models that can be made and have right gradients', async () => {
    const definitions = await evaluateAll(parseNotebook(text), { mixlab, '@tensorflow/tfjs': tf }, { console })
    const studies = [...definitions.values()].map(({ value }) => value).filter(isStudy)
    expect(studies.length).toBeGreaterThan(0)
    expect(new Set(studies.map((study) => study.name)).size).toBe(studies.length)
    expect(rowsOf(parseNotebook(text)[1]?.source ?? '')).toEqual(studies.flatMap(rowsToExpect))
    for (const study of studies) {
      const { variants, planned } = await openStudy(study, { quick: true }, memoryFiles({}))
      const whole = resolveStudy(study, { quick: true })
      const full = new Map(resolveStudy(study).variants.map(({ name, recipe }) => [name, recipe.steps]))
      expect(new Set(planned.map(({ key }) => key)).size).toBe(variants.length * whole.seeds.length)
      for (const { name, block, size, recipe, opened } of variants) {
        expect(recipe.steps).toBeLessThan(full.get(name) ?? 0)
        const forward = opened.model(block, size)
        await traceModel(forward, opened.input)
        if (derived.has(notebook) && provenanceOf(block.origin)) {
          const model = createModel(forward, opened.input, 1)
          expect(await checkGradients({ model, input: opened.input, extras: opened.extras })).toEqual({
            refused: null,
            unchecked: [],
          })
          model.dispose()
        }
      }
    }
  })
})

/** What a study has to say in the cell `expected`: its name, then each variant with the number of its seeds. */
function rowsToExpect(study: Study): string[][] {
  const { variants, seeds } = resolveStudy(study)
  return [[study.name], ...variants.map(({ name }) => [name, String(seeds.length)])]
}

/** The same of the tables in a text. */
function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
  return rows.map((row) => {
    const [name = '', value = '', seeds = ''] = row
      .slice(1)
      .split('|')
      .map((cell) => cell.trim())
    return value.endsWith('mean ± sd') ? [name] : [name, seeds]
  })
}

it('there is the notebook that a new workspace starts with', () => {
  expect(notebooks).toContain('first-comparison.ts')
})
