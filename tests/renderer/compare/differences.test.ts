import { describe, expect, it } from 'vitest'
import type { Environment } from '../../../engine/records/environment.ts'
import { environmentOf, factRows, groupOrigin } from '../../../renderer/compare/differences.ts'
import { detailsOf } from './samples.ts'

describe('factRows', () => {
  it('has a row a fact and says which differ; what one lacks differs, too', () => {
    expect(
      factRows([
        { a: 1, b: 'x' },
        { a: 1, b: 'y' },
        { c: 0, b: 'x', a: 1 },
      ]),
    ).toEqual([
      { name: 'a', values: ['1', '1', '1'], differs: false },
      { name: 'b', values: ['x', 'y', 'x'], differs: true },
      { name: 'c', values: [null, null, '0'], differs: true },
    ])
  })

  it('has nothing that differs in one thing, and no rows in none', () => {
    expect(factRows([{ a: 1 }])).toEqual([{ name: 'a', values: ['1'], differs: false }])
    expect(factRows([])).toEqual([])
  })
})

it('the environment of a group is all that its runs were trained with', () => {
  const environment: Environment = {
    ...{ mixlab: '1', tfjs: '4', numerics: 3, runtime: 'node 24' },
    ...{ platform: 'linux', architecture: 'x64', cores: 8, threads: 4 },
  }
  const there = detailsOf(1, { environment })
  const other = detailsOf(2, { environment: { ...environment, runtime: 'Chromium 141' }, backend: 'webgpu' })
  expect(environmentOf({ runs: [there, other] })).toMatchObject({
    backend: 'simd, webgpu',
    runtime: 'node 24, Chromium 141',
    cores: '8',
  })
  expect(environmentOf({ runs: [there, detailsOf(3)] })).toMatchObject({ runtime: 'node 24, not known' })
  expect(environmentOf({ runs: [detailsOf(3)] })).toEqual({ backend: 'simd', device: 'a processor' })
})

it('the origin of a group is all cells that made its runs', () => {
  const origin = { notebook: 'a.ts', cell: 'study', name: null, source: '', quick: false, variant: 'a' }
  const runs: Parameters<typeof groupOrigin>[0]['runs'] = [detailsOf(1, { origin }), detailsOf(2)]
  expect(groupOrigin({ runs })).toEqual({ notebook: 'a.ts, not known', cell: 'study, not known' })
})
