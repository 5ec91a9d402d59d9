import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { type KeyedSpec, keyOfRun } from '../../../../engine/study/key.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { recreateNotebook } from '../../../../engine/study/recreate/recreate.ts'

const none = () => Promise.reject(new Error('none'))
const files: FileSource = { list: none, read: none }

const studyIn = async (text: string) => (await evaluateAll(text, { mixlab }, { console })).get('own')?.value as Study

/** The first run of a study whose scheduler is in a cell of its own. */
async function planned(factor: string, { helper = 'const start = 2', name = 'root' } = {}) {
  const text = `// %% decay
import { schedule } from 'mixlab'
${helper}
export const decay = schedule('${name}', ${factor})

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const own = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 4, batch: 8, schedule: decay },
  variants: { mixer },
  seeds: 1,
})
`
  const { planned, design, origin } = await openStudy(await studyIn(text), {}, files)
  const run = planned[0] as (typeof planned)[number]
  return { ...run, design, origin }
}

const ROOT = '(step) => 1 / Math.sqrt(step + start)'

describe('definitions of cells in keys', () => {
  it('decide by what they do, not by comments, names or how they are written', async () => {
    const { key, spec } = await planned(ROOT)
    expect((await planned(`${ROOT} /* falls slowly */`)).key).toBe(key)
    expect((await planned(ROOT, { name: 'another' })).key).toBe(key)
    expect((await planned(`(s) => {\n  return 1 / Math.sqrt(s + start)\n}`)).spec.definitions).toBeDefined()
    expect((await planned(ROOT, { helper: 'const start = 3' })).key).not.toBe(key)
    expect((await planned(ROOT, { helper: 'let start = 1\nstart += 1' })).key).toBe(key)
    expect((await planned('(step) => 1 / Math.sqrt(step + start + 1)')).key).not.toBe(key)
    expect(keyOfRun(spec as unknown as KeyedSpec)).toBe(key)
  })
  it('are called by their names where runs are shown', async () => {
    const { spec } = await planned(ROOT)
    expect(spec.train).toMatchObject({ schedule: 'root', warmup: 0 })
  })
  it('travel with their run', async () => {
    const { origin, ...run } = await planned(ROOT)
    const stored = { id: 1, ...run, origin: origin && { ...origin, variant: 'mixer', notebook: null } }
    const again = await studyIn(recreateNotebook(stored as Parameters<typeof recreateNotebook>[0]))
    const opened = await openStudy(again, {}, files)
    expect(opened.planned[0]?.key).toBe(run.key)
    expect(() => recreateNotebook({ ...stored, origin: null } as Parameters<typeof recreateNotebook>[0])).toThrow(
      'cannot be recreated: the store has not the cell of its schedule',
    )
  })
  it.each([
    ['() => NaN', "schedule 'root': gave NaN at step 0 of 4, expected a number from 0 on"],
    ['(step) => 1 - step', "schedule 'root': gave -1 at step 2 of 4, expected a number from 0 on"],
    ["() => 'fast'", "schedule 'root': gave a value of type string at step 0 of 4, expected a number from 0 on"],
    ['0.1', "schedule 'root': expected a function (step, steps) => factor"],
  ])('refuses a schedule %s before anything is trained', async (factor, problem) => {
    await expect(planned(factor)).rejects.toThrow(problem)
  })
})
