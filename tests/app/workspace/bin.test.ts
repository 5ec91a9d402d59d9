import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { binNotebook, listDeleted, unbinNotebook } from '../../../app/workspace/bin.ts'
import { listNotebooks, openWorkspace, readNotebook, writeNotebook } from '../../../app/workspace/index.ts'
import { freshFolder } from '../store/samples.ts'

it('keeps several of one name, the last one first, and gives each back its own text', () => {
  const workspace = openWorkspace(freshFolder())
  const deleted = ['one', 'two'].map((text) => {
    writeNotebook(workspace, 'a.ts', text, null)
    return binNotebook(workspace, 'a.ts')
  })
  expect(listDeleted(workspace).map(({ id }) => id)).toEqual(deleted.map(({ id }) => id).reverse())
  expect(deleted.map(({ id }) => unbinNotebook(workspace, id))).toEqual(['a.ts', 'a-2.ts'])
  expect(listNotebooks(workspace).map((name) => readNotebook(workspace, name).text)).toEqual(['two', 'one'])
  expect(listDeleted(workspace)).toEqual([])
})

it('takes nothing else for a deleted notebook, and nothing outside of the bin', () => {
  const workspace = openWorkspace(freshFolder())
  mkdirSync(workspace.bin)
  for (const name of ['a.ts', '2026-11-22T10-00-00.000Z .hidden.ts', 'notes'])
    writeFileSync(join(workspace.bin, name), '')
  expect(listDeleted(workspace)).toEqual([])
  for (const id of ['../history', 'a.ts', '']) expect(() => unbinNotebook(workspace, id)).toThrow('is not in the bin')
})
