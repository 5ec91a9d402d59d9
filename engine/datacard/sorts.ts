import { fieldForm } from '../data/fields/form.ts'
import { fieldData } from '../data/fields/index.ts'
import { type Form, mapped } from '../data/form.ts'
import { imageForm } from '../data/images/form.ts'
import { imageData } from '../data/images/index.ts'
import { pointForm } from '../data/points/form.ts'
import { pointData } from '../data/points/index.ts'
import { sceneForm } from '../data/scenes/form.ts'
import { sceneData } from '../data/scenes/index.ts'
import { seriesForm } from '../data/series/form.ts'
import { seriesData } from '../data/series/index.ts'
import type { DatasetTable } from '../data/table.ts'
import { pairForm, textForm } from '../data/text/form.ts'
import { corpora, pairData, spanData, textData } from '../data/text/index.ts'
import type { Corpus, Dataset, Field, FieldBatch, SpanDataset, Split, TextSource } from '../data/types.ts'

/** A data set as examples of named parts, whatever it holds. */
export interface View {
  name: string
  hash: string
  fields: Readonly<Record<string, Field>>
  splits: ViewedSplit[]
  warnings: readonly string[]
}

export interface ViewedSplit extends Split<FieldBatch> {
  name: string
  /** What its source says of the class of each example, where that is known without reading them. */
  labels?: ArrayLike<number> | undefined
  /** Running text, whose examples are pieces of it. */
  text?: TextSource
}

/** What data sets of a table hold, the tasks that read them, the first one by default, and how they are viewed. */
export interface Sort {
  kind: string
  tasks: readonly string[]
  table: DatasetTable<object>
  view(data: object): View
}

function sort<Data extends object>(
  kind: string,
  tasks: string[],
  table: DatasetTable<Data>,
  view: (data: Data) => View,
): Sort {
  return { kind, tasks, table, view: view as Sort['view'] }
}

// What is looked at. A new sort of data sets is one line here.
export const sorts: readonly Sort[] = [
  sort('images with a class each', ['image'], imageData, byForm(imageForm)),
  sort('point clouds with a class each', ['points'], pointData, byForm(pointForm)),
  sort('texts with a class each', ['sequence'], textData, byForm(textForm)),
  sort('pairs of texts with a class each', ['pair'], pairData, byForm(pairForm)),
  sort('questions with their answers in passages', ['span'], spanData, spanView),
  sort('running text', ['mlm', 'clm'], corpora, corpusView),
  sort('images with a class for each pixel', ['segment'], sceneData, byForm(sceneForm)),
  sort('series to be forecast', ['forecast'], seriesData, byForm(seriesForm)),
  sort('examples of named parts', ['regression'], fieldData, byForm(fieldForm)),
]

function byForm<Data extends Dataset<unknown>>({ examples }: Form<Data>): (data: Data) => View {
  return (data) => {
    const { name, hash, fields, warnings = [], ...parts } = examples(data)
    return { name, hash, fields, warnings, splits: splitsOf(parts, data) }
  }
}

type Parts<Batch> = Pick<Dataset<Batch>, 'train' | 'validation' | 'test' | 'others'>

function splitsOf(parts: Parts<FieldBatch>, source: Parts<unknown>): ViewedSplit[] {
  const named = ({ train, validation, test, others }: Parts<unknown>) => ({ train, validation, test, ...others })
  const sources: Record<string, Split<unknown> & { labels?: ArrayLike<number> }> = named(source)
  return Object.entries(named(parts) as Record<string, Split<FieldBatch>>).map(([name, { size, read }]) => {
    return { name, size, read, labels: sources[name]?.labels }
  })
}

/** Whether there is an answer is the class of a question; `answers` has where they are, as JSON. */
function spanView(data: SpanDataset): View {
  const { name, hash, warnings = [], unanswerable } = data
  const classes = ['answered', 'without an answer']
  const text: Field = { dtype: 'text', shape: [] }
  const viewed = (split: Split<SpanDataset['train'] extends Split<infer Batch> ? Batch : never>) =>
    mapped(
      split,
      ({ questions, passages, answers }): FieldBatch => ({
        question: questions,
        passage: passages,
        answers: answers.map((each) => JSON.stringify(each)),
        answer: Int32Array.from(answers, (each) => (each.length > 0 ? 0 : 1)),
      }),
    )
  const { train, validation, test, others = {} } = data
  const all = Object.entries({ train, validation, test, ...others })
  return {
    name,
    hash,
    warnings,
    fields: {
      question: text,
      passage: text,
      ...(unanswerable && { answer: { dtype: 'int32', shape: [], classes } as const }),
    },
    splits: all.map(([split, each]) => ({ name: split, ...viewed(each) })),
  }
}

/** Bytes of a piece of running text. */
const PIECE = 600

function corpusView({ name, hash, train, validation, test, warnings = [] }: Corpus): View {
  const splits = Object.entries({ train, validation, test }).map(([split, source]) => ({
    name: split,
    text: source,
    ...pieces(source),
  }))
  return { name, hash, warnings, fields: { text: { dtype: 'text', shape: [] } }, splits }
}

/** Running text piece by piece, each of whole words: what white space does not begin and end is left out. */
function pieces(source: TextSource): Split<FieldBatch> {
  const piece = async (i: number) => {
    const to = Math.min(source.bytes, (i + 1) * PIECE)
    const text = await source.read(i * PIECE, to)
    const begun = i === 0 ? text : text.slice(Math.max(0, text.search(/\s/)))
    const last = to < source.bytes ? begun.search(/\s\S*$/) : -1
    return begun.slice(0, last > 0 ? last : undefined).trim()
  }
  return {
    size: Math.max(1, Math.floor(source.bytes / PIECE)),
    read: async (indices) => ({ text: await Promise.all(Array.from(indices, piece)) }),
  }
}
