import { describe, expect, it } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import { type Clause, parseFilter } from '../../../engine/runs/filter.ts'
import { FIELDS } from './samples.ts'

/** The clauses of a filter, without the one that leaves out archived runs. */
function parsed(text: string): Clause[] {
  return parseFilter(text, FIELDS).slice(0, -1)
}

const one = (text: string) => {
  const [clause, ...more] = parsed(text)
  expect(more).toEqual([])
  return clause
}

const word = (parts: string[], not = false, number: number | null = null) => ({
  kind: 'word',
  not,
  wanted: { parts: ['', ...parts, ''], number },
})

describe('parseFilter', () => {
  it('joins words by and', () => {
    expect(parsed('  gmlp -mixer "two words" a*b ')).toEqual([
      word(['gmlp']),
      word(['mixer'], true),
      word(['two words']),
      word(['a', 'b']),
    ])
  })

  it.each([
    ['task:mlm,image', 'task.task', '=', [['mlm'], ['image']], [null, null]],
    ['lr<1e-3', 'train.optimizer.options.learningRate', '<', [['1e-3']], [0.001]],
    ['batch>=64', 'train.batch', '>=', [['64']], [64]],
    ['train.batch=64', 'train.batch', '=', [['64']], [64]],
    ['model.block:g*', 'model.block', '=', [['g', '']], [null]],
    ['block:"g*"', 'model.block', '=', [['g*']], [null]],
    ['dim:"64"', 'model.dim', '=', [['64']], [null]],
  ])('%s compares an option', (text, name, operator, parts, numbers) => {
    const wanted = parts.map((each, i) => ({ parts: each, number: numbers[i] ?? null }))
    expect(one(text)).toEqual({ kind: 'field', not: false, column: { kind: 'option', name }, operator, wanted })
  })

  it.each([
    ['test/accuracy>90%', 'test/accuracy', 'last', 0.9],
    ['accuracy>0.9', 'test/accuracy', 'last', 0.9],
    ['best:test/accuracy>.9', 'test/accuracy', 'best', 0.9],
    ['max:train/loss>2k', 'train/loss', 'max', 2000],
  ])('%s compares a metric', (text, name, value, number) => {
    expect(one(text)).toMatchObject({ column: { kind: 'metric', name, value }, operator: '>', wanted: [{ number }] })
  })

  it('knows facts, each by its kind', () => {
    expect(one('-tag:keep')).toMatchObject({ not: true, column: { name: 'tags' }, wanted: [{ parts: ['keep'] }] })
    expect(one('status!=done')).toMatchObject({ not: true, operator: '=', wanted: [{ parts: ['done'] }] })
    expect(one('-status!=done')).toMatchObject({ not: false })
    expect(one('note:why')).toMatchObject({ wanted: [{ parts: ['', 'why', ''] }] })
    expect(one('note:""')).toMatchObject({ wanted: [{ parts: [''] }] })
    expect(one('key:00ff')).toMatchObject({ wanted: [{ parts: ['00ff', ''] }] })
    expect(one('weights:yes')).toMatchObject({ wanted: [{ number: 1 }] })
    expect(one('time>5min')).toMatchObject({ wanted: [{ number: 300 }] })
    expect(one('started<2026-11-21')).toMatchObject({ wanted: [{ number: Date.parse('2026-11-21T00:00') }] })
    expect(one('seed:1,2')).toMatchObject({ wanted: [{ number: 1 }, { number: 2 }] })
  })

  it('leaves out archived runs unless it speaks of them', () => {
    const archived = { kind: 'fact', name: 'archived' }
    expect(parseFilter('', FIELDS)).toMatchObject([{ column: archived, wanted: [{ number: 0 }] }])
    expect(parseFilter('archived:yes', FIELDS)).toMatchObject([{ column: archived, wanted: [{ number: 1 }] }])
    expect(parseFilter('archived:yes,no', FIELDS)).toHaveLength(1)
  })

  it.each([
    ['"two', 'filter: the quote in "two has no end'],
    ['bacth:64', "bacth: no such fact, option or metric (did you mean 'batch'?)"],
    ['ss<1', 'ss: no such fact, option or metric'],
    ['best:acuracy>1', 'best:acuracy: no such metric (known: test/accuracy, test/loss, train/loss)'],
    ['tag:', "tag:: a value is missing after ':'"],
    ['lr<fast', 'lr<fast: expected one number'],
    ['lr<1,2', 'lr<1,2: expected one number'],
    ['seed:one', "seed:one: 'one', expected a number"],
    ['study<3', "study<3: study is no number: compare by ':'"],
    ['status:dnoe', "status:dnoe: unknown status 'dnoe' (did you mean 'done'?)"],
    ['archived:perhaps', "archived:perhaps: 'perhaps', allowed are yes and no"],
    ['started:2026-11-21', 'started:2026-11-21: compare a time by <, <=, > or >='],
    ['started>soon', 'started>soon: expected one date such as 2026-11-21 or 2026-11-21T14:30'],
    ['test/loss@30<1', 'test/loss@30<1: values at a step can be shown, not filtered by; last, best, min and max can'],
  ])('%s is refused', (text, message) => {
    expect(() => parseFilter(text, FIELDS)).toThrow(message)
  })

  it('throws nothing but MixlabError, whatever the text', () => {
    const key = keyOf(1, 'filters')
    const pieces = [
      ...'"\\*,:<>=!-@% \n\t\u0000é😀',
      'lr',
      'tag',
      'status',
      'started',
      'best:',
      'test/loss',
      '1e-3',
      'no',
      'constructor',
      '__proto__',
    ]
    for (let i = 0; i < 5000; i++) {
      const length = integer(key, i * 16, 12)
      const text = Array.from({ length }, (_, j) => pieces[integer(key, i * 16 + 1 + j, pieces.length)]).join('')
      try {
        parseFilter(text, FIELDS)
      } catch (error) {
        if (!(error instanceof MixlabError)) throw error
      }
    }
  })

  it('is read in a time that grows with its length, and has a limit', () => {
    const long = '1'.repeat(1_000_000)
    expect(one(`${long}x`)).toEqual(word([`${long}x`]))
    expect(() => parsed('a '.repeat(201))).toThrow('filter: has 201 words, expected at most 200')
    expect(() => parsed(`task:${'a,'.repeat(501)}`)).toThrow('task: has 501 values, expected at most 500')
  })
})
