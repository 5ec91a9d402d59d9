import { describe, expect, it } from 'vitest'
import { trainTokenizer } from '../../../../engine/data/tokenizers/index.ts'
import { SPECIAL } from '../../../../engine/data/tokenizers/types.ts'
import { hasMostContext, inputOf, partsOf, targetOf, windowsOf } from '../../../../engine/tasks/text/spanWindows.ts'
import { questions } from '../tiny-texts.ts'

const passage = 'one two three four five six seven eight nine ten'
const asked = { questions: 'who is it', passages: passage }
const at = (word: string) => ({ start: passage.indexOf(word), end: passage.indexOf(word) + word.length })

async function cut(answers: { start: number; end: number }[], tokens = 10) {
  const tokenizer = await trainTokenizer({ kind: 'words', vocabulary: 100, lowercase: true }, [passage, 'who is it'])
  const split = questions([{ ...asked, answers }])
  const windows = await windowsOf(split, tokenizer, { tokens, question: 2, stride: 3 })
  return {
    windows,
    texts: windows.map((window) =>
      inputOf(window)
        .ids.map((id) => tokenizer.textOf(id))
        .join(' '),
    ),
  }
}

describe('windows', () => {
  it('overlap, and end with the passage', async () => {
    const { texts } = await cut([])
    expect(texts).toEqual([
      '[CLS] who is [SEP] one two three four five [SEP]',
      '[CLS] who is [SEP] four five six seven eight [SEP]',
      '[CLS] who is [SEP] seven eight nine ten [SEP]',
    ])
  })

  it('are one where the passage fits', async () => {
    const { windows } = await cut([], 15)
    expect(windows.map(({ parts, part }) => parts[part])).toEqual([{ from: 0, count: 10 }])
  })

  it('have the answer where it is whole, and else nothing, at [CLS]', async () => {
    const { windows } = await cut([{ start: at('four').start, end: at('six').end }])
    expect(windows.map(targetOf)).toEqual([
      [0, 0],
      [4, 6],
      [0, 0],
    ])
    expect((await cut([])).windows.map(targetOf)).toEqual(windows.map(() => [0, 0]))
  })

  it('have all tokens that an answer touches', async () => {
    const { windows } = await cut([{ start: at('two').start + 1, end: at('three').start + 1 }])
    expect(targetOf(windows[0] as (typeof windows)[number])).toEqual([5, 6])
  })

  it('learn from the first of several answers', async () => {
    const { windows } = await cut([at('two'), at('one')])
    expect(targetOf(windows[0] as (typeof windows)[number])).toEqual([5, 5])
    expect(inputOf(windows[0] as (typeof windows)[number]).ids[0]).toBe(SPECIAL.first)
  })
})

describe('parts of a passage', () => {
  it.each([
    [0, 1],
    [5, 1],
    [6, 2],
    [8, 2],
    [9, 3],
  ])('of %i tokens are %i', (length, count) => {
    expect(partsOf(length, 5, 3)).toHaveLength(count)
  })

  it('share out their tokens: each is where most is around it, in one of them', () => {
    const parts = partsOf(10, 5, 3) // 0-4, 3-7, 6-9
    const owners = Array.from({ length: 10 }, (_, token) => {
      const holding = [...parts.keys()].filter((i) => {
        const { from, count } = parts[i] as (typeof parts)[number]
        return token >= from && token < from + count
      })
      return holding.filter((i) => hasMostContext(parts, i, token))
    })
    expect(owners).toEqual([[0], [0], [0], [0], [1], [1], [1], [2], [2], [2]])
  })
})
