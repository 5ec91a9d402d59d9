import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { studiesIn } from '../../app/studies.ts'
import { traceModel } from '../../engine/cost/trace.ts'
import { BUILT_IN } from '../../engine/study/key.ts'
import { openStudy } from '../../engine/study/open.ts'
import type { OpenStudy } from '../../engine/study/opened.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'
import { EDITS, edited, proposals } from './edits.ts'

const folder = resolve(import.meta.dirname, '../../experiments')
const notebooks = globSync('*.ts', { cwd: folder })
const textOf = (notebook: string) => readFileSync(join(folder, notebook), 'utf8')

const opened = async (text: string): Promise<OpenStudy[]> => {
  const studies = await studiesIn(text, () => {})
  return Promise.all(studies.map((study) => openStudy(study, { quick: true }, memoryFiles({}))))
}

/** The keys of a notebook as it is. */
const before = new Map<string, Promise<Set<string>>>()
function keysOf(notebook: string): Promise<Set<string>> {
  const planned = async () => (await opened(textOf(notebook))).flatMap(({ planned }) => planned.map(({ key }) => key))
  const keys = before.get(notebook) ?? planned().then((all) => new Set(all))
  before.set(notebook, keys)
  return keys
}

describe('the edits that the ready notebooks propose', () => {
  it.each(notebooks)('in %s are all in the table', (notebook) => {
    const known = EDITS.filter((edit) => edit.notebook === notebook).map(({ sentence }) => sentence)
    expect(proposals(textOf(notebook))).toEqual([...new Set(known)])
  })

  it.each(EDITS.map((edit) => [edit.notebook, edit.change.map(([, to]) => to.trim()).join(' ... '), edit] as const))(
    'in %s: %s records without error, and trains anew what it says',
    async (notebook, _, edit) => {
      const before = await keysOf(notebook)
      const after = await opened(edited(textOf(notebook), edit))
      const trained = after.flatMap(({ name, planned }): [string, string[]][] => {
        const anew = planned.filter(({ key }) => !before.has(key)).map(({ variant }) => variant)
        return anew.length > 0 ? [[name, [...new Set(anew)]]] : []
      })
      expect(Object.fromEntries(trained)).toEqual(edit.trains)
      for (const { variants, planned } of after) {
        for (const { name, block, size, opened } of variants) {
          const run = planned.find(({ variant, key }) => variant === name && !before.has(key))
          if (!run) continue // as it was before the edit, and then it records (notebooks.test.ts)
          await traceModel(opened.model(block, size), opened.input)
          const model = run.spec.model as { code: string }
          // code of cells has a digest where a whole training step was recorded
          if (model.code !== BUILT_IN) expect(model).toHaveProperty('digest')
        }
      }
    },
  )
})
