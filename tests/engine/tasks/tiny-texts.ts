import { digest } from '../../../engine/data/digest.ts'
import { datasetTable } from '../../../engine/data/table.ts'
import type {
  Corpus,
  DatasetKind,
  SpanBatch,
  SpanDataset,
  Split,
  TextBatch,
  TextDataset,
  TextSource,
} from '../../../engine/data/types.ts'
import { integer, keyOf } from '../../../engine/random.ts'

// Tables of tiny data sets, in the place of those in engine/data/text/index.ts.

function kind<Data>(name: string, data: Data): DatasetKind<Data> {
  return { name, resolve: (options) => options, open: async () => data }
}

/** One of some words, by example and place. */
const pick = (words: string[], example: number, place: string) =>
  words[integer(keyOf(7, place), example, words.length)] as string

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

function split(examples: { first: string; second?: string; label: number }[]): Split<TextBatch> {
  return {
    size: examples.length,
    read: async (indices) => {
      const chosen = Array.from(indices, (i) => examples[i] as (typeof examples)[number])
      const second = chosen.flatMap((example) => example.second ?? [])
      return {
        first: chosen.map(({ first }) => first),
        ...(second.length > 0 ? { second } : {}),
        labels: Int32Array.from(chosen, ({ label }) => label),
      }
    },
  }
}

function review(i: number) {
  const label = i % 2
  const opinion = pick(label ? ['good', 'great', 'fine'] : ['bad', 'poor', 'dull'], i, 'opinion')
  return { first: `the ${pick(['film', 'food', 'music', 'city'], i, 'thing')} was very ${opinion}`, label }
}

function opinions(train: number): TextDataset {
  const [learned, chosen, held] = [range(0, train), range(train + 40, train + 60), range(train, train + 40)].map(
    (examples) => split(examples.map(review)),
  )
  return {
    ...{ name: 'reviews', hash: digest(`reviews ${train}`), classes: ['bad', 'good'] },
    ...splitOf(learned, chosen, held),
  }
}

type Some<Batch> = Split<Batch> | undefined
const splitOf = <Batch>(train: Some<Batch>, validation: Some<Batch>, test: Some<Batch>) => ({
  train: train as Split<Batch>,
  validation: validation as Split<Batch>,
  test: test as Split<Batch>,
})

/** Whether the second text agrees with the first. */
function claim(i: number) {
  const first = review(i)
  const [agrees, good] = [i % 4 < 2, first.label === 1]
  return { first: first.first, second: `it was ${agrees === good ? 'lovely' : 'awful'}`, label: Number(agrees) }
}

const claims: TextDataset = {
  name: 'claims',
  hash: digest('claims'),
  classes: ['no', 'yes'],
  train: split(range(0, 240).map(claim)),
  validation: split(range(300, 320).map(claim)),
  test: split(range(240, 280).map(claim)),
  others: { mismatched: split(range(280, 300).map(claim)) },
}

const NAMES = ['amy', 'bob', 'eve', 'tom']
const TOWNS = ['rome', 'oslo', 'paris', 'bern', 'the new york']

/** Who lives where; of some who are asked about nothing is said. */
function home(i: number, unanswerable: boolean) {
  const people = [pick(NAMES, i, 'who'), pick(NAMES, i, 'other')]
  const passage = `${people[0]} now lives in ${pick(TOWNS, i, 'where')} .`
  const asked = unanswerable && i % 3 === 0 ? 'zoe' : (people[0] as string)
  const start = passage.indexOf(' in ') + 4
  return {
    questions: `where does ${asked} live`,
    passages: passage,
    answers: asked === 'zoe' ? [] : [{ start, end: passage.length - 2 }],
  }
}

export function questions(examples: { questions: string; passages: string; answers: SpanBatch['answers'][number] }[]) {
  return {
    size: examples.length,
    read: async (indices: ArrayLike<number>): Promise<SpanBatch> => {
      const chosen = Array.from(indices, (i) => examples[i] as (typeof examples)[number])
      return {
        questions: chosen.map((example) => example.questions),
        passages: chosen.map((example) => example.passages),
        answers: chosen.map((example) => example.answers),
      }
    },
  }
}

function homes(unanswerable: boolean): SpanDataset {
  const of = (examples: number[]) => questions(examples.map((i) => home(i, unanswerable)))
  const name = `homes ${unanswerable}`
  const parts = { train: of(range(0, 60)), validation: of(range(90, 105)), test: of(range(60, 90)) }
  return { name, hash: digest(name), unanswerable, ...parts }
}

function source(text: string): TextSource {
  return { bytes: text.length, read: async (from, to) => text.slice(from, to) }
}

export const running = range(0, 60)
  .map((i) => `${review(i).first} . ${claim(i).second} . `)
  .join('')
const corpus: Corpus = {
  name: 'talk',
  hash: digest('talk'),
  train: source(running),
  validation: source(running.slice(200, 600)),
  test: source(running.slice(0, 400)),
}

export const corpora = datasetTable([kind('talk', corpus)])
export const textData = datasetTable([kind('reviews', opinions(80)), kind('fewReviews', opinions(20))])
export const pairData = datasetTable([kind('claims', claims)])
export const spanData = datasetTable([kind('homes', homes(false)), kind('homes2', homes(true))])
