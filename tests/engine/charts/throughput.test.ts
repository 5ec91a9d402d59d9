import { describe, expect, it } from 'vitest'
import { type ThroughputRow, throughput } from '../../../engine/charts/throughput.ts'
import { style } from './style.ts'

const options = { metric: 'test/accuracy' }
const two = { runtime: 'node 24.2.0', platform: 'linux 6.8', cores: 4, threads: 2 }

let at = 0
function row(variant: string, stepMs: number[], more: Partial<ThroughputRow> = {}): ThroughputRow {
  at += 10
  const timed = { batch: 32, stepMs, startedAt: at, endedAt: at + 10 }
  return { variant, seed: 1, run: at, value: 0.5, backend: 'simd', device: 'cpu', environment: two, ...timed, ...more }
}

const named = (rows: ThroughputRow[]) =>
  throughput(rows, options, style).figure.data.map((trace) => ('name' in trace ? [trace.name, trace.x] : []))

describe('throughput', () => {
  it('has a dot per variant at the examples of a second, by the median of its step times', () => {
    const rows = [row('gmlp', [500, 10, 20]), row('mixer', [8, 8], { batch: 64 })]
    expect(named(rows)).toEqual([
      ['gmlp', [1600]],
      ['mixer', [8000]],
    ])
    const { figure, note, columns, rows: table } = throughput(rows, options, style)
    expect(figure.data[0]).toMatchObject({ mode: 'markers+text', y: [0.5], customdata: [rows[0]?.run] })
    expect(figure.layout).toMatchObject({ xaxis: { type: 'log', title: { text: 'training examples per second' } } })
    expect(note).toBe(
      'Throughput of training, by the median of the times of a step, on simd, 2 of 4 threads, node 24.2.0, linux 6.8.',
    )
    expect(columns).toContain('training examples per second')
    expect(table[0]?.slice(0, 6)).toEqual(['gmlp', 'gmlp', 1, rows[0]?.run, 1600, 0.5])
  })
  it('takes the mean over seeds', () => {
    const rows = [row('gmlp', [10]), row('gmlp', [20], { seed: 2, value: 0.7 })]
    const [, mean] = throughput(rows, options, style).figure.data
    expect(mean).toMatchObject({ x: [2400], y: [expect.closeTo(0.6)], text: ['gmlp'] })
  })
  it('keeps runs of other machines, backends and threads apart, and says which they are', () => {
    const rows = [
      row('gmlp', [10]),
      row('gmlp', [5], { seed: 2, environment: { ...two, threads: 4 } }),
      row('gmlp', [1], { seed: 3, backend: 'webgpu', environment: { ...two, adapter: 'H200' } }),
      row('gmlp', [2], { seed: 4, environment: null, device: 'two cores' }),
    ]
    expect(named(rows)).toEqual([
      ['gmlp (1)', [3200]],
      ['gmlp (2)', [6400]],
      ['gmlp (3)', [32000]],
      ['gmlp (4)', [16000]],
    ])
    const { note } = throughput(rows, options, style)
    expect(note).toMatch(/not to be compared: \(1\) simd, 2 of 4 threads,.*\(2\) simd, 4 of 4 threads,/)
    expect(note).toMatch(/\(3\) webgpu, H200, node 24\.2\.0, linux 6\.8; \(4\) simd, two cores\.$/)
  })
  it('says where runs were trained at the same time', () => {
    const rows = [row('a', [1]), row('b', [1], { startedAt: 5, endedAt: at + 1 })]
    expect(throughput(rows, options, style).note).toContain('trained at the same time')
  })
  it('leaves out runs without times or a value, and takes none', () => {
    const rows = [row('a', []), row('b', [0, Number.NaN]), row('c', [10], { value: Number.NaN }), row('d', [10])]
    const { note, rows: table } = throughput(rows, options, style)
    expect(table).toHaveLength(1)
    expect(note).toContain('3 runs without test/accuracy or training examples per second left out.')
    expect(throughput([], options, style)).toMatchObject({ figure: { data: [] }, rows: [] })
    expect(throughput([row('d', [10])], options, style).figure.layout.xaxis).not.toHaveProperty('type')
  })
})
