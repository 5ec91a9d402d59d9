import { version_core } from '@tensorflow/tfjs-core'
import { expect, it } from 'vitest'
import type { FileSource } from '../../../engine/data/files.ts'
import * as mixlab from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import type { Machine } from '../../../engine/records/environment.ts'
import { NUMERICS } from '../../../engine/records/numerics.ts'
import type { Study } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { memoryRuns } from './memory-runs.ts'

const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const console = { debug() {}, log() {}, info() {}, warn() {}, error() {} }
const backend = { name: 'cpu', device: 'test' } as const
const machine: Machine = {
  ...{ mixlab: '1.0.0', runtime: 'test 1', platform: 'here', architecture: 'x64' },
  ...{ cores: 2, threads: 1 },
}

const NOTEBOOK = `// %% size
const dim = 8

// %% study
import { add, block, compare, dense, image, shapes } from 'mixlab'
const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const small = compare('small', {
  task: image({ data: shapes({ train: 16, test: 8 }) }), model: { patch: 16, dim, depth: 1 },
  variants: { plain }, train: { steps: 1, batch: 8 }, seeds: 1,
})
`

async function started(study: Study, more = {}) {
  const runs = memoryRuns()
  for await (const _ of executeStudy(study, { runs, files, backend, ...more }));
  return runs.started[0]
}

async function evaluated(): Promise<Study> {
  return (await evaluateAll(NOTEBOOK, { mixlab }, { console })).get('small')?.value as Study
}

it('a run begins with where it comes from and what it is trained with, which its key does not depend on', async () => {
  const small = await evaluated()
  const full = await started(small, { machine, notebook: 'a.ts', quick: true })
  expect(full?.origin).toEqual({ notebook: 'a.ts', cell: 'study', name: 'small', source: NOTEBOOK, quick: true })
  expect(full?.environment).toEqual({ ...machine, tfjs: version_core, numerics: NUMERICS })
  const bare = await started(small, { quick: true })
  expect([bare?.key, bare?.origin?.notebook, bare?.environment]).toEqual([full?.key, null, undefined])
})

it('a study that no cell defines has no origin', async () => {
  const { spec } = await evaluated()
  expect(await started(mixlab.compare('small', spec))).not.toHaveProperty('origin')
})
