import { describe, expect, it } from 'vitest'
import { studiesIn } from '../../../../app/studies.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { LONG } from '../../../long.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { KINDS } from './kinds.ts'
import { alike, differing } from './notebook.ts'

const [DIFFERING, ALIKE] = LONG ? [2000, 500] : [6, 4]

async function keyOf(notebook: string): Promise<string | undefined> {
  const [study] = await studiesIn(notebook, () => {})
  if (!study) throw new Error('no study')
  return (await openStudy(study, {}, memoryFiles({}))).planned[0]?.key
}

describe.each(Object.keys(KINDS))('pairs of cells with another %s', (kind) => {
  it('that captures something else have another key', async () => {
    for (let number = 0; number < DIFFERING; number++) {
      const [a, b] = differing(kind, number)
      expect(await keyOf(a), `${a}\n--- and ---\n${b}`).not.toBe(await keyOf(b))
    }
  })
  it('that is written otherwise have one key', async () => {
    for (let number = 0; number < ALIKE; number++) {
      const [a, b] = alike(kind, number)
      expect(await keyOf(a), `${a}\n--- and ---\n${b}`).toBe(await keyOf(b))
    }
  })
})
