import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keyOf, uniform } from '../../../engine/random.ts'
import type { Outcomes } from '../../../engine/records/outcomes/outcomes.ts'
import { MAX_BYTES, packOutcomes } from '../../../engine/records/outcomes/pack.ts'
import { LONG } from '../../long.ts'
import { begun, freshWorkspace, sampleRun, storeAt } from './samples.ts'

const EXAMPLES = 1000
const CLASSES = 10

/** What run `seed` came to on 1,000 examples, no two runs the same. */
function outcomesOf(seed: number): Uint8Array {
  const draw = (name: string) => Array.from({ length: EXAMPLES }, (_, i) => uniform(keyOf(seed, name), i))
  const label = Array.from({ length: EXAMPLES }, (_, i) => i % CLASSES)
  const predicted = draw('wrong').map((value, i) => ((label[i] as number) + Number(value < 0.25)) % CLASSES)
  const probability = draw('sure').map((value) => 0.4 + 0.6 * value)
  const truth = probability.map((value, i) => (predicted[i] === label[i] ? value : (1 - value) / 3))
  const test: Outcomes = {
    ...{ kind: 'classes', tested: EXAMPLES, index: label.map((_, i) => i), lossName: 'cross entropy', loss: [] },
    classes: Array.from({ length: CLASSES }, (_, i) => `class ${i}`),
    ...{ label, predicted, probability, truth },
  }
  return packOutcomes({ test }) ?? new Uint8Array()
}

/** Bytes of all files below a folder. */
const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

const runs = LONG ? 10_000 : 20

it(`grows by less than 30 KB a run over ${runs} runs whose examples are kept`, () => {
  const folder = freshWorkspace()
  const store = storeAt(folder)
  const before = sizeOf(folder)
  for (let seed = 0; seed < runs; seed++) {
    const id = begun(store.beginRun(sampleRun({ seed, key: `run ${seed}` })))
    store.record(id, [
      { type: 'start', steps: 1, parameters: 1 },
      { type: 'outcomes', step: 1, outcomes: outcomesOf(seed) },
      { type: 'done', step: 1 },
    ])
  }
  store.close()
  const each = (sizeOf(folder) - before) / runs
  if (LONG) console.info(`${Math.round(each)} bytes a run`)
  expect(each).toBeLessThan(MAX_BYTES)
})
