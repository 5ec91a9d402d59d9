import { describe, expect, it } from 'vitest'
import {
  commonMeaning,
  isBetter,
  isShare,
  meaningIn,
  meaningText,
  parseMeaning,
} from '../../../engine/records/meaning.ts'
import { ACCURACY, LOSS, MEANINGS } from '../../meanings.ts'

describe('a meaning', () => {
  it('says which of two values is better; none where no way is', () => {
    expect([isBetter(2, 1, ACCURACY), isBetter(1, 2, ACCURACY), isBetter(1, 1, ACCURACY)]).toEqual([true, false, false])
    expect([isBetter(2, 1, LOSS), isBetter(1, 2, LOSS), isBetter(1, 1, LOSS)]).toEqual([false, true, false])
    expect([isBetter(2, 1, {}), isBetter(1, 2, {})]).toEqual([false, false])
    expect([isShare(ACCURACY), isShare(LOSS), isShare(undefined)]).toEqual([true, false, false])
  })

  it('has words', () => {
    expect(meaningText(ACCURACY)).toBe('accuracy; higher is better; from 0 to 1')
    expect(meaningText(LOSS)).toBe('loss; in nats; lower is better; from 0')
    expect(meaningText(MEANINGS['test/bleu'] ?? {})).toBe('BLEU; higher is better; from 0 to 100')
    expect(meaningText({})).toBe('neither way is better')
  })

  it('of several runs is what these agree on', () => {
    expect(commonMeaning([ACCURACY, { ...ACCURACY, words: 'top-1' }])).toEqual({ ...ACCURACY, words: undefined })
    expect(commonMeaning([ACCURACY, { better: 'lower', unit: 'share' }])).toEqual({ unit: 'share', compared: true })
    expect(commonMeaning([ACCURACY, {}])).toEqual({ compared: true })
    expect(commonMeaning([])).toEqual({})
    const runs = [{ metrics: { a: { meaning: LOSS } } }, { metrics: {} }, { metrics: { b: {} } }]
    expect([meaningIn(runs, 'a'), meaningIn(runs, 'b'), meaningIn(runs, 'c')]).toEqual([LOSS, {}, {}])
  })

  it('from elsewhere is checked', () => {
    expect(parseMeaning(ACCURACY, 'test/accuracy')).toEqual(ACCURACY)
    expect(() => parseMeaning({ better: 'up' }, 'm')).toThrow(/m\.better: unknown value 'up'.*higher, lower/)
    expect(() => parseMeaning({ best: 'higher' }, 'm')).toThrow("unknown option 'best'")
    expect(() => parseMeaning({ bounds: [0] }, 'm')).toThrow('m.bounds')
    expect(() => parseMeaning({ bounds: [0, Number.POSITIVE_INFINITY] }, 'm')).toThrow('m.bounds.1')
    expect(() => parseMeaning({ unit: 'x'.repeat(21) }, 'm')).toThrow('at most 20')
  })
})
