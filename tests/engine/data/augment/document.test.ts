import { readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { studiesIn } from '../../../../engine/study/studies.ts'
import { memoryFiles } from '../memory-files.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const blocks = [...read('docs/recipes.md').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text)

it('docs/recipes.md: every block of code is a cell, and every study of it can be planned', async () => {
  const text = blocks.map((block, i) => `// %% block-${i}\n${block}`).join('\n')
  const definitions = await evaluateAll(text, { mixlab, '@tensorflow/tfjs': tf }, { console })
  const studies = studiesIn([...definitions.values()].map(({ value }) => value))
  const names = ['changed', 'told', 'turned', 'warped', 'blended']
  expect(studies.map(({ name }) => name)).toEqual(names)
  for (const study of studies) {
    const { planned, variants } = await openStudy(study, { quick: true }, memoryFiles({}))
    expect(new Set(planned.map(({ key }) => key)).size, study.name).toBe(planned.length)
    expect(planned.length).toBeGreaterThanOrEqual(variants.length)
  }
})
