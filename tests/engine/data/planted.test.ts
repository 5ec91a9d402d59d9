import { describe, expect, it } from 'vitest'
import { fieldData } from '../../../engine/data/fields/index.ts'
import type { FileSource } from '../../../engine/data/files.ts'
import { imageData } from '../../../engine/data/images/index.ts'
import { pointData } from '../../../engine/data/points/index.ts'
import { sceneData } from '../../../engine/data/scenes/index.ts'
import { seriesData } from '../../../engine/data/series/index.ts'
import { pairData, spanData, textData } from '../../../engine/data/text/index.ts'
import type { Dataset, Planted } from '../../../engine/data/types.ts'
import { memoryFiles } from './memory-files.ts'

interface Opened {
  resolve(spec: { dataset: string; options: Record<string, unknown> }): { options: Record<string, unknown> }
  open(spec: { dataset: string; options: Record<string, unknown> }, files: FileSource): Promise<Dataset<unknown>>
}

const sets: [dataset: string, table: Opened][] = [
  ['shapes', imageData],
  ['glyphs', imageData],
  ['textures', imageData],
  ['solids', pointData],
  ['scenes', sceneData],
  ['discs', fieldData],
  ['seasons', seriesData],
  ['world', textData],
  ['world', pairData],
  ['world', spanData],
]
const EXAMPLES = 40

/** What is planted in the first test examples of a generated data set. */
async function plantedOf(
  dataset: string,
  table: Opened,
): Promise<{ planted: Planted[]; test: Dataset<unknown>['test'] }> {
  const resolved = { dataset, options: table.resolve({ dataset, options: { train: 8, test: EXAMPLES } }).options }
  const { test } = await table.open(resolved, memoryFiles({}))
  return { planted: Array.from({ length: EXAMPLES }, (_, i) => test.planted?.(i) ?? {}), test }
}

describe.each(sets)('what is planted in %s', (dataset, table) => {
  it('has the same names for every example, and differs', async () => {
    const { planted } = await plantedOf(dataset, table)
    const [first = {}] = planted
    expect(Object.keys(first).length).toBeGreaterThan(2)
    for (const each of planted) {
      expect(Object.keys(each)).toEqual(Object.keys(first))
      for (const [name, value] of Object.entries(each)) {
        expect(typeof value === 'string' || Number.isFinite(value), `${name} ${value}`).toBe(true)
      }
    }
    const varied = Object.keys(first).filter((name) => new Set(planted.map((each) => each[name])).size > 1)
    expect(varied).toEqual(Object.keys(first))
  })
})

describe('what is planted', () => {
  it('is of the example that is read', async () => {
    const { planted, test } = await plantedOf('world', spanData)
    const { passages, answers } = (await test.read([0, 7])) as { passages: string[]; answers: unknown[][] }
    for (const [i, row] of [0, 7].entries()) {
      expect(planted[row]?.['words of the passage']).toBe(passages[i]?.match(/[a-z]+/g)?.length)
      expect(planted[row]?.answer).toBe(answers[i]?.length ? 'in the passage' : 'none')
    }
  })
})
