import { describe, expect, it } from 'vitest'
import { corpora, pairData, spanData, textData, world } from '../../../../../engine/data/text/index.ts'
import { draws } from '../../../../../engine/data/text/world/draws.ts'
import { past, pluralOf, withArticle } from '../../../../../engine/data/text/world/inflect.ts'
import { drawPair, GENRES } from '../../../../../engine/data/text/world/pairs.ts'
import { answers, drawQuestion } from '../../../../../engine/data/text/world/question.ts'
import { RELATIONS, relation } from '../../../../../engine/data/text/world/statement.ts'
import { TOPICS, type Topic } from '../../../../../engine/data/text/world/words.ts'
import { keyOf } from '../../../../../engine/random.ts'
import { memoryFiles } from '../../memory-files.ts'

const files = memoryFiles({})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const topicOf = (i: number) => TOPICS[i % TOPICS.length] as Topic

describe('words', () => {
  it('inflect', () => {
    expect(['trophy', 'person', 'bus', 'plum'].map(pluralOf)).toEqual(['trophies', 'people', 'buses', 'plums'])
    expect(['carry', 'push', 'destroy'].map(past)).toEqual(['carried', 'pushed', 'destroyed'])
    expect(['apple', 'piano'].map(withArticle)).toEqual(['an apple', 'a piano'])
  })
})

describe('pairs', () => {
  it('mean what their class says: one premise decides, the others decide nothing', () => {
    for (const i of upTo(300)) {
      const wanted = RELATIONS[i % 3] ?? 'neutral'
      const { premises, hypothesis } = drawPair(draws(keyOf(i, 'test')), topicOf(i), wanted, 0.5)
      const given = premises.map((premise) => relation(premise, hypothesis)).filter((name) => name !== 'neutral')
      expect(given).toEqual(wanted === 'neutral' ? [] : [wanted])
    }
  })
  it('have every class once in three, and other genres in the mismatched split', async () => {
    const { train, others } = await pairData.open(world({ train: 300, test: 300 }), files)
    const { labels, first } = await train.read(upTo(300))
    for (let i = 0; i < 300; i += 3) expect([...labels.slice(i, i + 3)].sort()).toEqual([0, 1, 2])
    const things = GENRES.mismatched.flatMap((topic) => topic.things)
    const about = (texts: string[]) => texts.filter((text) => text.split(' ').some((word) => things.includes(word)))
    expect(about(first)).toEqual([])
    expect(about((await others?.mismatched?.read(upTo(300)))?.first ?? []).length).toBeGreaterThan(100)
  })
  it('have no hypothesis of the test in training', async () => {
    const { train, test } = await pairData.open(world({ train: 1000, test: 200 }), files)
    const learned = new Set((await train.read(upTo(1000))).second)
    expect((await test.read(upTo(200))).second?.filter((text) => learned.has(text))).toEqual([])
  })
})

describe('questions', () => {
  it('have one fact that answers them, or none', () => {
    for (const i of upTo(300)) {
      const { story, query, answer } = drawQuestion(draws(keyOf(i, 'test')), topicOf(i), i % 3 > 0, 0.5)
      const found = story.facts.filter((fact) => answers(fact, query))
      expect(found).toHaveLength(i % 3 > 0 ? 1 : 0)
      if (answer) expect(story.text.slice(answer.start, answer.end)).toBe(found[0]?.[query.asked])
      else expect(found).toEqual([])
    }
  })
  it('have no answer in every third example', async () => {
    const { test, unanswerable } = await spanData.open(world({ test: 90 }), files)
    const { answers: spans } = await test.read(upTo(90))
    expect(unanswerable).toBe(true)
    expect(spans.filter((some) => some.length === 0)).toHaveLength(30)
  })
  it('have an answer in all where none shall be without, and are the same where they had one', async () => {
    const [some, all] = await Promise.all(
      [true, false].map((unanswerable) => spanData.open(world({ test: 90, unanswerable }), files)),
    )
    const [mixed, answered] = [await some?.test.read(upTo(90)), await all?.test.read(upTo(90))]
    expect(all?.unanswerable).toBe(false)
    expect(all?.hash).not.toBe(some?.hash)
    expect(answered?.answers.filter((spans) => spans.length === 1)).toHaveLength(90)
    const kept = upTo(90).filter((i) => mixed?.answers[i]?.length === 1)
    for (const i of kept) expect(answered?.questions[i]).toBe(mixed?.questions[i])
  })
  it('keep their hash where the option is given as it is by itself', async () => {
    const { hash } = await spanData.open(world({ test: 90 }), files)
    expect((await spanData.open(world({ test: 90, unanswerable: true }), files)).hash).toBe(hash)
  })
})

describe('sentences', () => {
  it('are of both classes in turn, and no wording is in both splits', async () => {
    const { train, test, classes } = await textData.open(world({ train: 2000, test: 400 }), files)
    expect(classes).toEqual(['negative', 'positive'])
    const [learned, held] = [await train.read(upTo(2000)), await test.read(upTo(400))]
    expect(held.labels.reduce((sum, label) => sum + label, 0)).toBe(200)
    const known = new Set(learned.first)
    expect(held.first.filter((text) => known.has(text))).toEqual([])
  })
  it('say what they are by the main clause and its negations', async () => {
    const { train } = await textData.open(world({ train: 2000, difficulty: 0 }), files)
    const { first, labels } = await train.read(upTo(2000))
    const plain = [...first.entries()].flatMap(([i, text]) => {
      const [, who, negated, verb] = /^(nobody|\w+) (did not )?(love|hate)d? the \w+ \.$/.exec(text) ?? []
      return verb ? [[(verb === 'love') !== (Boolean(negated) || who === 'nobody'), labels[i] === 1]] : []
    })
    expect(plain.length).toBeGreaterThan(20)
    for (const [expected, label] of plain) expect(label).toBe(expected)
  })
})

describe('the corpus', () => {
  it('is a document a line, which keeps to its topic', async () => {
    const { train, test } = await corpora.open(world({ train: 100, test: 20 }), files)
    const text = await train.read(0, train.bytes)
    expect(text).toHaveLength(train.bytes)
    expect(await train.read(100, 200)).toBe(text.slice(100, 200))
    expect((await test.read(0, test.bytes)).split('\n')).toHaveLength(20)
    const lines = text.split('\n')
    expect(lines).toHaveLength(100)
    for (const line of lines) {
      const words = line.split(' ')
      expect(
        TOPICS.filter(({ places, things }) => [...places, ...things].some((word) => words.includes(word))).length,
      ).toBeLessThan(2)
    }
  })
})
