import { describe, expect, it } from 'vitest'
import { trainTokenizer } from '../../../../engine/data/tokenizers/index.ts'
import { type AnswerOptions, collectAnswers } from '../../../../engine/tasks/text/spanAnswers.ts'
import { windowsOf } from '../../../../engine/tasks/text/spanWindows.ts'
import { questions } from '../tiny-texts.ts'

const passage = 'one two three, four five six'
const right = { start: 4, end: 13 }
type Logits = Record<string, number>

const TOKENS = 8 // [CLS] who [SEP], four of the passage, [SEP]

/** What is answered when some places, `window/place`, have such logits as start and as end. */
async function said(starts: Logits, ends: Logits, more?: Partial<AnswerOptions>) {
  const split = questions([{ questions: 'who', passages: passage, answers: [right] }])
  const tokenizer = await trainTokenizer({ kind: 'words', vocabulary: 100, lowercase: true }, [passage])
  const windows = await windowsOf(split, tokenizer, { tokens: TOKENS, question: 1, stride: 3 })
  expect(windows).toHaveLength(2) // one two three , / , four five six
  const logits = new Float32Array(2 * TOKENS * 2)
  for (const [column, values] of [starts, ends].entries()) {
    for (const [at, value] of Object.entries(values)) {
      const [window = 0, place = 0] = at.split('/').map(Number)
      logits[2 * (window * TOKENS + place) + column] = value
    }
  }
  const collector = collectAnswers(windows, {
    tokens: TOKENS,
    answer: 30,
    nullThreshold: Number.POSITIVE_INFINITY,
    ...more,
  })
  // the order of the windows, and which batch they are in, do not matter
  collector.add(logits.subarray(TOKENS * 2), { window: Int32Array.of(1) })
  collector.add(logits.subarray(0, TOKENS * 2), { window: Int32Array.of(0) })
  expect(collector.answers()).toHaveLength(1)
  expect(collector.answers()[0]?.right).toEqual(['two three'])
  return collector.answers()[0]?.said
}

describe('answers', () => {
  it('are the best span of all windows, as it stands in the passage', async () => {
    expect(await said({ '0/4': 2 }, { '0/6': 2 })).toBe('two three,')
    expect(await said({ '0/4': 2, '1/4': 5 }, { '0/5': 2, '1/5': 2 })).toBe('four five')
  })

  it('never end before they start, nor leave the passage', async () => {
    expect(await said({ '0/5': 3 }, { '0/4': 3, '0/5': 1 })).toBe('three')
    expect(await said({ '0/1': 9, '0/3': 1 }, { '0/7': 9, '0/3': 1 })).toBe('one')
  })

  it('are as short as asked', async () => {
    const starts = { '0/3': 5 }
    const ends = { '0/3': 1, '0/6': 5 }
    expect(await said(starts, ends)).toBe('one two three,')
    expect(await said(starts, ends, { answer: 3 })).toBe('one')
  })

  it('are none where [CLS] has more in every window, if there may be none', async () => {
    const starts = { '0/0': 9, '1/0': 3, '0/4': 4 }
    expect(await said(starts, { '0/4': 1 })).toBe('two')
    expect(await said(starts, { '0/4': 1 }, { nullThreshold: 0 })).toBe('two') // 5 against 3 in the second
    expect(await said({ ...starts, '1/0': 6 }, { '0/4': 1 }, { nullThreshold: 0 })).toBe('')
    expect(await said({ ...starts, '1/0': 6 }, { '0/4': 1 }, { nullThreshold: 1 })).toBe('two') // 6 is not above 5 by more
    expect(await said(starts, { '0/4': 1 }, { nullThreshold: -3 })).toBe('')
  })
})
