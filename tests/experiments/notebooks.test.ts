import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { studiesIn } from '../../app/studies.ts'
import { traceModel } from '../../engine/cost/trace.ts'
import { createModel } from '../../engine/nn/model.ts'
import { parseNotebook } from '../../engine/notebook/index.ts'
import { provenanceOf } from '../../engine/notebook/provenance.ts'
import type { Study } from '../../engine/study/compare.ts'
import { resolveStudy } from '../../engine/study/design/resolve.ts'
import { checkGradients } from '../../engine/study/gradients/check.ts'
import { BUILT_IN } from '../../engine/study/key.ts'
import { openStudy } from '../../engine/study/open.ts'
import type { OpenStudy } from '../../engine/study/opened.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'
import { sample } from '../long.ts'
import { EDITS, edited, proposals } from './edits.ts'

const folder = resolve(import.meta.dirname, '../../experiments')
const notebooks = globSync('*.ts', { cwd: folder })

/** Those whose models' gradients are checked. */
const derived = new Set(sample(notebooks, 0, 12))
/** The edits that are made. */
const made = new Set(sample(EDITS, 1, 12))

/** The studies of a notebook, each as it is and opened for a first look. */
async function opened(text: string): Promise<[Study, OpenStudy][]> {
  const studies = await studiesIn(text, () => {})
  return Promise.all(studies.map(async (study) => [study, await openStudy(study, { quick: true }, memoryFiles({}))]))
}

describe.each(notebooks)('experiments/%s', (notebook) => {
  const text = readFileSync(join(folder, notebook), 'utf8')
  let asItIs: Promise<[Study, OpenStudy][]> | null = null
  /** Opened once for all tests of the notebook. */
  const openedOnce = () => {
    asItIs ??= opened(text)
    return asItIs
  }

  it('begins with its question, the source, how to run it and what comes out', () => {
    const [first, second] = parseNotebook(text)
    expect(first?.kind).toBe('markdown')
    const needed = ['?', 'https://arxiv.org/abs/', '**Run all**', `\`mixlab run ${notebook}\``, '--quick']
    expect(needed.filter((part) => !first?.source.includes(part))).toEqual([])
    expect(second).toMatchObject({ id: 'expected', kind: 'markdown' })
  })

  it('has studies that can be planned, without files, and models that can be made and have right gradients', async () => {
    const all = await openedOnce()
    const studies = all.map(([study]) => study)
    expect(studies.length).toBeGreaterThan(0)
    expect(new Set(studies.map((study) => study.name)).size).toBe(studies.length)
    expect(rowsOf(parseNotebook(text)[1]?.source ?? '')).toEqual(studies.flatMap(rowsToExpect))
    for (const [study, { variants, planned }] of all) {
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

  const edits = EDITS.filter((edit) => edit.notebook === notebook)
  it('proposes the edits that are in the table', () => {
    expect(proposals(text)).toEqual([...new Set(edits.map(({ sentence }) => sentence))])
  })

  const some = edits.filter((edit) => made.has(edit))
  it.each(some.map((edit) => [edit.change.map(([, to]) => to.trim()).join(' ... '), edit] as const))(
    'edited, %s, records without error, and trains anew what it says',
    async (_, edit) => {
      const before = new Set((await openedOnce()).flatMap(([, { planned }]) => planned.map(({ key }) => key)))
      const after = (await opened(edited(text, edit))).map(([, study]) => study)
      const trained = after.flatMap(({ name, planned }): [string, string[]][] => {
        const anew = planned.filter(({ key }) => !before.has(key)).map(({ variant }) => variant)
        return anew.length > 0 ? [[name, [...new Set(anew)]]] : []
      })
      expect(Object.fromEntries(trained)).toEqual(edit.trains)
      for (const { variants, planned } of after) {
        for (const { name, block, size, opened } of variants) {
          const run = planned.find(({ variant, key }) => variant === name && !before.has(key))
          if (!run) continue // as it was before the edit, and then it records, as above
          await traceModel(opened.model(block, size), opened.input)
          const model = run.spec.model as { code: string }
          // code of cells has a digest where a whole training step was recorded
          if (model.code !== BUILT_IN) expect(model).toHaveProperty('digest')
        }
      }
    },
  )
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

it('every edit of the table is of a notebook that is there', () => {
  expect(EDITS.filter(({ notebook }) => !notebooks.includes(notebook))).toEqual([])
})

it('there is the notebook that a new workspace starts with', () => {
  expect(notebooks).toContain('first-comparison.ts')
})
