import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder, mixlab, writeNotebook } from './recorder.ts'

it('mixlab recreate writes a notebook of one run, which is in the store already', async () => {
  const folder = freshFolder()
  const at = ['--workspace', folder]
  await mixlab(['run', writeNotebook(folder), '--seeds', '1', ...at])
  const path = join(folder, 'again.ts')
  expect((await mixlab(['recreate', 'tiny/plain/1', '-o', path, ...at])).out).toEqual([path])
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('recreated from cell `study` of `tiny.ts`')
  expect((await mixlab(['recreate', 'tiny/plain/1', ...at])).out).toEqual([text.trimEnd()])
  const { code, err } = await mixlab(['run', path, ...at])
  expect([code, err.at(-1)]).toEqual([0, 'nothing to train: 1 of 1 runs are in the store'])

  const taken = await mixlab(['recreate', '1', '-o', path, ...at])
  expect([taken.code, taken.err[0]]).toEqual([1, `mixlab: --output: '${path}' is there already`])
})

it('mixlab show tells where a run comes from and what it was trained with', async () => {
  const [folder, elsewhere] = [freshFolder(), freshFolder()]
  const path = writeNotebook(elsewhere)
  await mixlab(['run', path, '--seeds', '1', '--only', 'plain', '--threads', '1', '--workspace', folder])
  const { out } = await mixlab(['show', '1', '--workspace', folder])
  expect(out).toContain(`cell         study of ${path}`)
  expect(out).toContain(`runtime      node ${process.versions.node}`)
  expect(out).toContain('threads      1')
  expect(out.find((line) => line.startsWith('macs '))).toMatch(/^macs {9}[\d,]+$/)
  expect(out.find((line) => line.startsWith('data '))).toMatch(/^data {9}[\da-f]{64}$/)
})
