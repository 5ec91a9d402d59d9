import { describe, expect, it } from 'vitest'
import type { AnyTrace } from '../../../engine/charts/figure/figure.ts'
import type { CellValue, RunFields, RunLine } from '../../../engine/runs/types.ts'
import { type ChartOfRuns, chartOfRuns, columnsFor, numberColumns } from '../../../renderer/runs/chartOfRuns.ts'
import { style } from '../../engine/charts/style.ts'
import { MEANINGS } from '../../meanings.ts'

const METRIC = 'test/accuracy'
const TRAIN = 'task.options.data.options.train'
const fields: RunFields = {
  ...{ facts: [], tags: [], studies: [] },
  options: ['train.batch', 'model.depth', TRAIN, 'data.hash'],
  metrics: [METRIC, 'test/examples_per_second'],
  meanings: MEANINGS,
}

function line(id: number, study: string, values: CellValue[], status: RunLine['status'] = 'done'): RunLine {
  const said = { error: null, hasWeights: false, tags: [], note: '', archived: false }
  return { ...said, id, key: String(id), study, variant: 'gmlp', seed: id, status, values }
}

function draw(rows: RunLine[], choice: Partial<ChartOfRuns>, total = rows.length) {
  const whole: ChartOfRuns = { by: 'variant', metric: METRIC, x: 'parameters', join: 'variant', ...choice }
  return chartOfRuns({ rows, total }, whole, fields, style)
}

const names = (data: AnyTrace[]) => data.map((trace) => 'name' in trace && trace.name)

describe('chartOfRuns', () => {
  it('compares variants, of several studies by both names, and counts finished runs alone', () => {
    const { rows, note } = draw([line(1, 'a', [0.5]), line(2, 'a', [0.7]), line(3, 'a', [0.1], 'failed')], {}, 9)
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['gmlp', 1, 1, 0.5],
      ['gmlp', 2, 2, 0.7],
    ])
    expect(note).toContain('The newest 3 of 9 runs.')
    expect(draw([line(1, 'a', [0.5]), line(2, 'b', [0.7])], {}).rows.map(([name]) => name)).toEqual([
      'b: gmlp',
      'a: gmlp',
    ])
  })

  it.each([
    ['parameters', 'test/accuracy against parameters'],
    ['macs', 'test/accuracy against MACs per example'],
    ['time', 'test/accuracy against seconds of training'],
    ['test/examples_per_second', 'test/accuracy against examples per second'],
    ['depth', 'test/accuracy against depth'],
    [TRAIN, 'test/accuracy against training examples'],
    ['train.batch', 'test/accuracy against train.batch'],
  ])('draws a metric against %s', (x, title) => {
    const chart = draw([line(1, 'a', [0.5, 10]), line(2, 'b', [0.7, 20])], { by: 'number', x })
    expect(chart.title).toBe(title)
    expect(chart.figure.data).toMatchObject([{ name: 'gmlp', x: [10, 20], y: [0.5, 0.7], customdata: [1, 2] }])
  })

  it('joins the sizes of a block', () => {
    const sized = (id: number, variant: string, x: number) => ({ ...line(id, 'a', [0.5, x, 'gmlp']), variant })
    const { figure } = draw([sized(1, 'gMLP-S', 10), sized(2, 'gMLP-L', 20)], { by: 'number', join: 'block' })
    expect(figure.data).toMatchObject([{ name: 'gmlp', x: [10, 20], text: ['S', 'L'] }])
  })

  it('joins the runs of a study on demand, and spreads a wide range by powers of ten', () => {
    const rows = [line(1, 'a', [0.5, 1]), line(2, 'b', [0.7, 100])]
    const { figure } = draw(rows, { by: 'number', x: 'train.batch', join: 'study' })
    expect(names(figure.data)).toEqual(['b', 'a'])
    expect(figure.layout).toMatchObject({ xaxis: { type: 'log' } })
  })

  it('has an axis for each option that all have, that can be read, and that tells runs apart in its own way', () => {
    const hash = (letter: string) => letter.repeat(64)
    const rows = [
      line(1, 'a', [0.5, 16, 2, 64, hash('a')]),
      line(2, 'a', [0.7, 32, 3, null, hash('b')]),
      line(3, 'a', [0.8, 32, 3, 64, hash('b')]),
    ]
    expect(draw(rows, { by: 'options' }).columns).toEqual(['variant', 'seed', 'run', 'batch', METRIC])
  })

  it('draws the newest of very many variants', () => {
    const rows = Array.from({ length: 70 }, (_, i) => ({ ...line(70 - i, 'a', [0.5]), variant: `v${70 - i}` }))
    const chart = draw(rows, {})
    expect([chart.rows.length, chart.rows[0]?.[0], chart.rows.at(-1)?.[0]]).toEqual([60, 'v11', 'v70'])
    expect(chart.note).toBe('The newest 60 of 70 variants.')
  })

  it('draws nothing of no runs, and leaves out what has no number', () => {
    for (const by of ['variant', 'number', 'options'] as const) expect(draw([], { by }).figure.data).toEqual([])
    expect(draw([line(1, 'a', [null, 'x'])], { by: 'number' }).note).toContain('1 run without')
  })
})

it('asks for the columns that a chart needs', () => {
  const choice: ChartOfRuns = { by: 'number', metric: METRIC, x: 'depth', join: 'variant' }
  expect(columnsFor(choice, fields)).toEqual([METRIC, 'depth'])
  expect(columnsFor({ ...choice, by: 'variant' }, fields)).toEqual([METRIC])
  expect(columnsFor({ ...choice, by: 'options' }, fields)).toEqual([METRIC, ...fields.options])
  expect(numberColumns(fields)).toEqual([
    ...['parameters', 'macs', 'time', 'test/examples_per_second', 'train.batch', 'depth', TRAIN, 'data.hash'],
  ])
})
