import { expect, it } from 'vitest'
import { isNotebookName } from '../../../app/workspace/notebook-name.ts'
import { recreatedName } from '../../../renderer/run/recreateRun.ts'
import { freeName } from '../../../renderer/session/files/files.ts'

it('names a notebook after its run, in a way that a file can be called', () => {
  const run = { study: 'gating', variant: 'gmlp', seed: 2 }
  const taken = ['gating-gmlp-seed-2.ts', 'gating-gmlp-seed-2-2.ts']
  expect(recreatedName(run)).toBe('gating-gmlp-seed-2')
  expect(freeName(recreatedName(run), taken)).toBe('gating-gmlp-seed-2-3.ts')
  for (const study of ['a/b: "c"', '../..', '.hidden', 'ä ö', 'x'.repeat(300), '?']) {
    expect([study, isNotebookName(`${recreatedName({ ...run, study })}.ts`)]).toEqual([study, true])
  }
})
