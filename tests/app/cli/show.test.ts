import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportLines } from '../../../app/cli/model/report.ts'
import type { ClassificationReport } from '../../../engine/records/report.ts'
import { freshFolder, mixlab, trainIn, writeNotebook } from './recorder.ts'

const report: ClassificationReport = {
  kind: 'classification',
  classes: ['cat', 'dog', 'owl'],
  confusion: [
    [8, 2, 0],
    [1, 3, 0],
    [0, 0, 0],
  ],
  accuracy: [0.8, 0.75, null],
  wrong: [{ index: 12, label: 0, predicted: 1, probability: 0.98765 }],
}

describe('reportLines', () => {
  it('shows a confusion matrix, the worst classes and the surest mistakes', () => {
    expect(reportLines({ test: report })).toEqual([
      'report on test',
      'is / taken for  0  1  2',
      '0 cat           8  2  .',
      '1 dog           1  3  .',
      '2 owl           .  .  .',
      '',
      'worst classes  % right  examples',
      '1 dog             75.0         4',
      '0 cat             80.0        10',
      '',
      'example  is     taken for  probability',
      '     12  0 cat  1 dog            0.988',
    ])
  })

  it('lists the most frequent mistakes among many classes', () => {
    const classes = Array.from({ length: 21 }, (_, i) => `c${i}`)
    const confusion = classes.map((_, row) => classes.map((_, column) => (column === row + 1 ? row : 5)))
    const lines = reportLines({ test: { ...report, classes, confusion, accuracy: classes.map(() => 0.5), wrong: [] } })
    expect(lines[1]).toBe('is      taken for  times')
    expect(lines[2]).toBe('19 c19  20 c20        19')
    expect(lines.indexOf('')).toBe(12)
    expect(lines.at(-1)).toBe('no wrong examples')
  })

  it('names each split, and shows the tokens that were asked for', () => {
    const likely = [
      { token: 'cat', probability: 0.75 },
      { token: 'owl', probability: 0.125 },
    ]
    const texts = [{ index: 0, tokens: ['the', '[MASK]'], masked: [{ place: 1, token: 'dog', likely }] }]
    const lines = reportLines({ test: report, other: { kind: 'maskedTokens', texts } })
    expect(lines.slice(-4)).toEqual(['report on other', '', 'the [MASK]', '  1: dog, said cat 0.750, owl 0.125'])
  })
})

describe('mixlab show', () => {
  it('shows the report of a run, also as JSON', async () => {
    const folder = freshFolder()
    await trainIn(folder)
    const shown = (await mixlab(['show', '1', '--workspace', folder])).out
    expect(shown).toContain('report on test')
    expect(shown.find((line) => line.startsWith('is / taken for'))).toMatch(/ 0 +1 +2 +3 +4 +5 +6 +7 +8 +9$/)
    const metrics = shown.map((line) => line.split(' ')[0])
    expect(metrics).toEqual(expect.arrayContaining(['train/step_ms', 'test/examples_per_second']))
    const json = JSON.parse((await mixlab(['show', '1', '--json', '--workspace', folder])).out[0] ?? '')
    const { confusion } = json.report.test as ClassificationReport
    expect(confusion.flat().reduce((sum, count) => sum + count, 0)).toBe(20)
  })
})

it('mixlab recreate writes a notebook of one run, which is in the store already', async () => {
  const folder = freshFolder()
  const at = ['--workspace', folder]
  await trainIn(folder)
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
