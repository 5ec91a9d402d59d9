import { MixlabError } from '../../errors.ts'
import { classesOf, converted, type Form, fieldsOf, whole } from '../form.ts'
import type { Corpus, Field, FieldBatch, Split, TextDataset, TextSource } from '../types.ts'
import { withoutCutEnd, withoutCutStart } from './utf8.ts'

const texts = (batch: FieldBatch, field: string) => batch[field] as string[]
const text: Field = { dtype: 'text', shape: [] }
const label = ({ classes }: TextDataset): Field => ({ dtype: 'int32', shape: [], classes })

/** Texts with a class each: `text` and `label`. */
export const textForm: Form<TextDataset> = {
  examples: (data) => ({
    ...converted(data, ({ first, labels }) => ({ text: first, label: labels })),
    fields: { text, label: label(data) },
  }),
  data: (examples) => {
    fieldsOf(examples, { text: 'text', label: { rank: 0 } })
    const batches = converted(examples, (batch) => ({ first: texts(batch, 'text'), labels: whole(batch, 'label') }))
    return { ...batches, classes: classesOf(examples) }
  },
}

/** Pairs of texts with a class each: `text`, `second` and `label`. */
export const pairForm: Form<TextDataset> = {
  examples: (data) => ({
    ...converted(data, ({ first, second = [], labels }) => ({ text: first, second, label: labels })),
    fields: { text, second: text, label: label(data) },
  }),
  data: (examples) => {
    fieldsOf(examples, { text: 'text', second: 'text', label: { rank: 0 } })
    const batches = converted(examples, (batch) => ({
      ...{ first: texts(batch, 'text'), second: texts(batch, 'second') },
      labels: whole(batch, 'label'),
    }))
    return { ...batches, classes: classesOf(examples) }
  },
}

/** Running text: of examples their `text`, a line each. */
export const corpusForm: Form<Corpus> = {
  examples: ({ name }) => {
    throw new MixlabError('option', 'task.data', `'${name}' is running text, expected examples, which can be changed`)
  },
  data: async (examples) => {
    fieldsOf(examples, { text: 'text' })
    const { name, hash, train, validation, test, warnings } = examples
    const parts = { train: await linesOf(train), validation: await linesOf(validation), test: await linesOf(test) }
    return { name, hash, ...parts, ...(warnings && { warnings }) }
  },
}

async function linesOf({ size, read }: Split<FieldBatch>): Promise<TextSource> {
  const batch = await read(Array.from({ length: size }, (_, i) => i))
  const bytes = new TextEncoder().encode(texts(batch, 'text').join('\n'))
  const piece = (from: number, to: number) => {
    const started = from === 0 ? bytes.subarray(0, to) : withoutCutStart(bytes.subarray(from, to))
    return to < bytes.length ? withoutCutEnd(started) : started
  }
  return { bytes: bytes.length, read: async (from, to) => new TextDecoder().decode(piece(from, to)) }
}
