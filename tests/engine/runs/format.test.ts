import { describe, expect, it } from 'vitest'
import { columnName, resolveColumn } from '../../../engine/runs/column.ts'
import { runsCsv } from '../../../engine/runs/csv.ts'
import { cellText, columnTitle } from '../../../engine/runs/format.ts'
import { groupValue } from '../../../engine/runs/group.ts'
import { optionsOf } from '../../../engine/runs/options.ts'
import { textTable, toLatex, toMarkdown } from '../../../engine/runs/table.ts'
import type { CellValue, Spread } from '../../../engine/runs/types.ts'
import { FIELDS } from './samples.ts'

const column = (name: string) => resolveColumn(name, FIELDS)
const text = (name: string, value: CellValue | Spread) => cellText(column(name), value)

describe('columns', () => {
  it.each(['id', 'tags', 'lr', 'train.batch', 'test/loss', 'best:test/loss', 'test/loss@300'])('%s', (name) => {
    expect(columnName(column(name))).toBe(name)
  })
  it('may be called by their end', () => {
    expect(columnName(column('batch'))).toBe('train.batch')
    expect(columnName(column('best:accuracy'))).toBe('best:test/accuracy')
    expect(columnName(column('accuracy@30'))).toBe('test/accuracy@30')
    expect(columnName(column('learningRate'))).toBe('lr')
    expect(columnName(column('last:test/loss'))).toBe('test/loss')
  })
  it.each([
    ['test/macro_recall', 'test/macro_recall, %', '25.00'],
    ['test/topic_loss', 'test/topic_loss', '0.2500'],
    ['test/iou', 'test/iou, %', '25.00'],
    ['test/bleu', 'test/bleu', '0.2500'],
  ])('of %s are in the unit that it says', (name, title, shown) => {
    const own = resolveColumn(name, { ...FIELDS, metrics: [name] })
    expect([columnTitle(own), cellText(own, 0.25)]).toEqual([title, shown])
  })
  it('mean the test, where a name says no split or that of before', () => {
    const metrics = ['test/accuracy', 'train/loss', 'validation/accuracy']
    const of = (name: string, own = metrics) => columnName(resolveColumn(name, { ...FIELDS, metrics: own }))
    expect(['accuracy', 'eval/accuracy', 'best:eval/accuracy', 'eval/accuracy@3'].map((name) => of(name))).toEqual([
      ...['test/accuracy', 'test/accuracy', 'best:test/accuracy', 'test/accuracy@3'],
    ])
    expect(of('eval/accuracy', [...metrics, 'eval/accuracy'])).toBe('eval/accuracy')
    expect(() => of('accuracy', ['eval/accuracy', 'validation/accuracy'])).toThrow('accuracy: means one of')
  })
  it('of runs of before say what their examples were used for', () => {
    const title = (name: string) => columnTitle(resolveColumn(name, { ...FIELDS, metrics: ['eval/loss'] }))
    expect(['eval/loss', 'best:eval/loss', 'eval/loss@3'].map(title)).toEqual([
      'eval/loss (test, also used for choosing)',
      'best:eval/loss (test, also used for choosing)',
      'eval/loss@3 (test, also used for choosing)',
    ])
  })
  it('say their unit', () => {
    expect(['test/accuracy', 'test/loss', 'lr'].map((name) => columnTitle(column(name)))).toEqual([
      'test/accuracy, %',
      'test/loss',
      'lr',
    ])
  })
})

describe('cellText', () => {
  it.each<[string, CellValue | Spread, string]>([
    ['test/accuracy', 0.93124, '93.12'],
    ['test/accuracy', { mean: 0.93124, sd: 0.0041, n: 6 }, '93.12 ± 0.41 (6)'],
    ['test/accuracy', { mean: 0.5, sd: null, n: 1 }, '50.00 (1)'],
    ['test/loss', 1.23456, '1.2346'],
    ['test/loss', { mean: 123.456, sd: 2, n: 2 }, '123.5 ± 2.0 (2)'],
    ['test/loss', 12.3456, '12.35'],
    ['test/loss', 0.000012345, '0.0000123'],
    ['test/loss', 1234567.5, '1.23e+6'],
    ['train/loss', 3812345, '3,812,345'],
    ['train/loss', 300, '300'],
    ['test/loss', Number.NaN, 'NaN'],
    ['test/loss', null, '–'],
    ['lr', 0.001, '0.001'],
    ['task', 'mlm', 'mlm'],
    ['time', 200, '3 min 20 s'],
    ['time', { mean: 60, sd: 3, n: 2 }, '1 min ± 3 s (2)'],
    ['parameters', 1234567, '1,234,567'],
    ['macs', 1234567, '1,234,567'],
    ['step', 300, '300'],
    ['weights', 1, 'yes'],
    ['started', Date.parse('2026-11-21T09:05'), '2026-11-21 09:05'],
  ])('%s of %j is %s', (name, value, expected) => {
    expect(text(name, value)).toBe(expected)
  })
})

describe('groupValue', () => {
  const runs = (...values: CellValue[]) => values.map((value) => ({ status: 'done' as const, value }))
  it.each<[string, CellValue[], CellValue | Spread]>([
    ['seed', [3, 1, 2, 7, 9, 8], '1–3, 7–9'],
    ['seed', [0, 1, 5], '0, 1, 5'],
    ['status', ['done', 'failed', 'done'], '2 done, 1 failed'],
    ['status', ['done', 'done'], 'done'],
    ['tags', ['a b', null, 'b c'], 'a b c'],
    ['tags', [null], null],
    ['backend', ['simd', 'cpu', 'simd'], 'cpu, simd'],
    ['started', [1, 3, 2], 3],
    ['parameters', [5, 5], 5],
    ['time', [1, 3], { mean: 2, sd: Math.SQRT2, n: 2 }],
    ['note', ['x', 'y'], null],
    ['test/loss', [1, null, 3], { mean: 2, sd: Math.SQRT2, n: 2 }],
    ['test/loss', [null], null],
  ])('%s of %j is %j', (name, values, expected) => {
    expect(groupValue(column(name), runs(...values))).toEqual(expected)
  })
})

it('optionsOf flattens a spec, without what tells runs of a configuration apart', () => {
  const spec = {
    ...{ numerics: 3, data: 'ff', seed: 7, from: { key: 'x' } },
    model: { dim: 8, qkvBias: true, gate: null },
    train: { noDecay: ['a'], optimizer: { options: { learningRate: 0.1 } } },
    task: { kind: 'task', task: 'mlm' },
  }
  expect(optionsOf(spec)).toEqual({
    numerics: 3,
    'model.dim': 8,
    'model.qkvBias': 'true',
    'train.noDecay': '["a"]',
    'train.optimizer.options.learningRate': 0.1,
    'task.task': 'mlm',
    'data.hash': 'ff',
  })
  expect(optionsOf({})).toEqual({})
})

const COLUMNS = ['variant', 'test/accuracy'].map(column)
const VALUES = [
  ['g_mlp | 50% & #1', { mean: 0.9, sd: 0.01, n: 6 }],
  ['a\\b {c} ~^', null],
]

it('writes Markdown', () => {
  expect(toMarkdown(textTable(COLUMNS, VALUES))).toBe(
    [
      '| variant            | test/accuracy, % |',
      '| ------------------ | ---------------: |',
      '| g\\_mlp \\| 50% & #1 | 90.00 ± 1.00 (6) |',
      '| a\\\\b {c} \\~^       |                – |',
      '',
    ].join('\n'),
  )
})

it('writes LaTeX', () => {
  expect(toLatex(textTable(COLUMNS, VALUES))).toBe(
    [
      '\\begin{tabular}{lr}',
      '  \\toprule',
      '  variant & test/accuracy, \\% \\\\',
      '  \\midrule',
      '  g\\_mlp \\textbar{} 50\\% \\& \\#1 & $90.00 \\pm 1.00$ (6) \\\\',
      '  a\\textbackslash{}b \\{c\\} \\textasciitilde{}\\textasciicircum{} & -- \\\\',
      '  \\bottomrule',
      '\\end{tabular}',
      '',
    ].join('\n'),
  )
})

it('writes CSV with all digits, and spreads as three columns', () => {
  const rows = [
    ['a,b', { mean: 1 / 3, sd: 0.1, n: 2 }],
    ['c', null],
  ]
  expect(runsCsv(['variant', 'test/accuracy'], rows)).toBe(
    `variant,test/accuracy mean,test/accuracy sd,test/accuracy n\r\n"a,b",${1 / 3},0.1,2\r\nc,,,\r\n`,
  )
})
