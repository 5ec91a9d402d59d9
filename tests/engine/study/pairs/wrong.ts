import { studiesIn } from '../../../../app/studies.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { alike, differing } from './notebook.ts'

/** How the notebooks of a pair are related: they capture something else, or are written otherwise. */
export const PAIRS = { differing, alike }

export type How = keyof typeof PAIRS

async function keyOf(notebook: string): Promise<string> {
  const [study] = await studiesIn(notebook, () => {})
  if (!study) throw new Error('no study')
  const key = (await openStudy(study, {}, memoryFiles({}))).planned[0]?.key
  if (!key) throw new Error('no key')
  return key
}

/** The first pair of a kind, of the numbers from `from` to before `to`, whose keys are not as they should be; else null. */
export async function wrongPair(kind: string, how: How, from: number, to: number): Promise<string | null> {
  for (let number = from; number < to; number++) {
    const [a, b] = PAIRS[how](kind, number)
    const shared = (await keyOf(a)) === (await keyOf(b))
    if (shared !== (how === 'alike')) return `${number}: ${a}\n--- and ---\n${b}`
  }
  return null
}
