import { describe, expect, it } from 'vitest'
import { mixlab } from './recorder.ts'

describe('mixlab bench', () => {
  it('times a configuration', async () => {
    const { code, out } = await mixlab(['bench', 'gmlp-64x4', '--rounds', '1', '--threads', '1', '--profile', '--json'])
    expect(code).toBe(0)
    const result = JSON.parse(out[0] ?? '')
    expect(result).toMatchObject({ name: 'simd', threads: 1, rounds: 1, results: [{ configuration: 'gmlp-64x4' }] })
    expect(result.results[0].train[0]).toBeGreaterThanOrEqual(result.results[0].train[1])
    expect(result.results[0].heapPeakBytes).toBeGreaterThan(1e6)
    expect(result.results[0].kernels.map(({ kernel }: { kernel: string }) => kernel)).toContain('BatchMatMul')
  })
  it('says with how many threads, also where that is not chosen', async () => {
    const { out } = await mixlab(['bench', 'gmlp-64x4', '--rounds', '1', '--json'])
    expect(JSON.parse(out[0] ?? '').threads).toBe(1) // as the backend was started above
  })
  it.each([
    [['gmlp'], "bench: unknown configuration 'gmlp'"],
    [['--rounds', '0'], "--rounds: '0', expected a whole number of at least 1"],
    [['--threads', 'x'], "--threads: 'x', expected a whole number of at least 1"],
    [['--peers', '--threads', '1'], '--threads: not together with --peers'],
    [['--peers', '--profile'], '--profile: not together with --peers'],
  ])('refuses %j', async (words, message) => {
    expect((await mixlab(['bench', ...words])).err[0]).toContain(message)
  })
})
