import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { archive, archiveNameOf, namesOf } from '../../../engine/export/archive.ts'

const run = (id: number, study: string, variant: string, seed = 1) => ({ id, study, variant, seed })
const bytes = (text: string) => new TextEncoder().encode(text)

it('names runs by what file systems and Python take', () => {
  expect(namesOf([run(1, 'gating', 'gmlp'), run(2, '../a b', 'µ "x".py', 2)])).toEqual([
    'gating-gmlp-seed1',
    '_a_b-_x_py-seed2',
  ])
  expect(namesOf([run(1, 'a'.repeat(300), 'b')])[0]?.length).toBeLessThan(120)
})

it('names runs differently, also where letters are all that tells them apart', () => {
  const names = namesOf([run(1, 'a', 'x'), run(2, 'a', 'x'), run(3, 'A', 'X'), run(4, 'a', 'µ'), run(5, 'a', 'ä')])
  expect(names).toEqual(['a-x-seed1-run1', 'a-x-seed1-run2', 'A-X-seed1-run3', 'a-_-seed1-run4', 'a-_-seed1-run5'])
})

it('names archives after the study of their runs', () => {
  expect(archiveNameOf([run(1, 'a/b', 'x'), run(2, 'a/b', 'y')])).toBe('a_b-2-runs')
  expect(archiveNameOf([run(1, 'a', 'x'), run(2, 'b', 'x')])).toBe('mixlab-2-runs')
})

it('has a folder per run where there are several', () => {
  const files = { '.py': bytes('code'), '.py.md': bytes('card') }
  const namesIn = (zip: Uint8Array) => Object.keys(unzipSync(zip))
  expect(namesIn(archive(new Map([['a', files]])))).toEqual(['a.py', 'a.py.md'])
  const both = archive(
    new Map<string, Record<string, Uint8Array>>([
      ['a', files],
      ['b', { '.onnx': bytes('graph') }],
    ]),
  )
  expect(namesIn(both)).toEqual(['a/a.py', 'a/a.py.md', 'b/b.onnx'])
  expect(unzipSync(both)['b/b.onnx']).toEqual(bytes('graph'))
})
