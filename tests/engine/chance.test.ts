import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { Unrepeatable, withoutChance } from '../../engine/chance.ts'

const INSTEAD = "from 'mixlab', which draws by the seed of the run"

/** Code as a cell has it: its line is in stacks. */
function inCell(body: string): () => unknown {
  const run = new Function('tf', `return () => (${body})\n//# sourceURL=mixlab:cell/cell`) as (
    given: object,
  ) => () => unknown
  return run(tf)
}

describe('code that must not draw', () => {
  const shaped: [string, string, string][] = [
    ['Math.random()', 'Math.random()', `random.uniform('noise', shape) ${INSTEAD}`],
    [
      'crypto.getRandomValues(new Uint8Array(2))',
      'crypto.getRandomValues()',
      `random.uniform('noise', shape) ${INSTEAD}`,
    ],
    ['crypto.randomUUID()', 'crypto.randomUUID()', `random.uniform('noise', shape) ${INSTEAD}`],
    ['tf.randomNormal([2])', 'tf.randomNormal', `random.normal('noise', shape) ${INSTEAD}`],
    ['tf.truncatedNormal([2])', 'tf.truncatedNormal', `random.normal('noise', shape) ${INSTEAD}`],
    ['tf.randomUniform([2])', 'tf.randomUniform', `random.uniform('noise', shape) ${INSTEAD}`],
    ['tf.multinomial(tf.zeros([2]), 3)', 'tf.multinomial', `random.uniform('noise', shape) ${INSTEAD}`],
    ['tf.rand([2], () => Math.random())', 'Math.random()', `random.uniform('noise', shape) ${INSTEAD}`],
    ['tf.dropout(tf.ones([2]), 0.5)', 'tf.dropout', `dropout(x, rate) ${INSTEAD}`],
  ]
  it.each(shaped)('%s throws', (code, name, instead) => {
    const run = inCell(code)
    expect(() => tf.tidy(() => void withoutChance(run))).toThrow(
      new Unrepeatable(`${name} draws other numbers in every run; use ${instead}`),
    )
    tf.dispose(tf.tidy(() => tf.keep(tf.zeros([1])))) // tfjs goes on
  })
  const clocks = [
    ...['Date.now()', 'performance.now()', 'new Date()', 'Date()'].map((code) => [code, code]),
    ...[
      ['[1].map(Date.now)', 'Date.now()'],
      ['Array.from([1], Date)', 'Date()'],
      ['tf.util.now()', 'process.hrtime()'],
      ['Temporal.Now.instant()', 'Temporal.Now.instant()'],
    ],
  ]
  it.each(clocks)('%s throws', (code, name) => {
    const run = inCell(code as string)
    const text = `${name} differs in every run; leave the time out of what decides a result`
    expect(() => withoutChance(run)).toThrow(new Unrepeatable(text))
  })
  it.each(['new Date(0).getTime()', 'Date.UTC(1970, 0)', 'new Date(0) instanceof Date ? 0 : 1'])('%s is 0', (code) => {
    expect(withoutChance(inCell(code))).toBe(0)
  })
  it('may use operations with a seed, and may measure outside of cells', () => {
    const draw = inCell("tf.randomNormal([2], 0, 1, 'float32', 3)") as () => tf.Tensor
    const [first, second] = [0, 1].map(() => tf.tidy(() => [...withoutChance(draw).dataSync()]))
    expect(first).toEqual(second)
    expect(withoutChance(() => performance.now() + Date.now())).toBeGreaterThan(0)
  })
  it('says what to write instead, that of the innermost', () => {
    const run = inCell('Math.random()')
    expect(() => withoutChance(run, 'a loss must not draw')).toThrow('in every run; a loss must not draw')
    expect(() => withoutChance(() => withoutChance(run, 'inner'), 'outer')).toThrow('in every run; inner')
    expect(() => withoutChance(() => withoutChance(run), 'outer')).toThrow('in every run; outer')
  })
  it('leaves everything as it was', () => {
    const before = [Math.random, Date, Date.now, performance.now, crypto.getRandomValues]
    const own = Object.hasOwn(performance, 'now') // where another test has put a clock of its own there
    expect(() => withoutChance(() => Math.random())).toThrow(Unrepeatable)
    expect([Math.random, Date, Date.now, performance.now, crypto.getRandomValues]).toEqual(before)
    expect(Object.hasOwn(performance, 'now')).toBe(own)
    expect(Math.random()).toBeLessThan(1)
  })
})
