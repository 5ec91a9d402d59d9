import { idxBytes } from '../engine/data/images/idx-bytes.ts'
import { plainPng } from '../engine/data/images/png-file.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'

/** Values that repeat at no short distance. */
const values = (count: number, from = 0) => Array.from({ length: count }, (_, i) => ((i + from) * 37) % 251)

const sentences = ['the film was good', 'a dull story', 'it was great fun', 'not worth it', 'a fine day', 'too long']
const rows = (columns: string[], row: (i: number) => string[]) =>
  [columns, ...sentences.map((_, i) => row(i))].map((cells) => cells.join('\t')).join('\n')

const passages = sentences.map((context, i) => ({
  context,
  qas: [
    { question: `what is number ${i}`, answers: [{ text: context.slice(0, 3).trim(), answer_start: 0 }] },
    { question: 'who said so', is_impossible: true, answers: [] },
  ],
}))

const images = (count: number, from: number) => Uint8Array.from(values(count * 256, from))
const record = (label: number, from = label) => Uint8Array.of(label, ...values(3072, from))
const twoRecords = (label: number) => Uint8Array.of(...record(label), ...record(label, 10 + label))

/** The files of the data sets in studies.ts, by path. */
export const FILES: Record<string, Uint8Array | string> = {
  'sst/train.tsv': rows(['sentence', 'label'], (i) => [sentences[i] ?? '', String(i % 2)]),
  'mnli/train.tsv': rows(['sentence1', 'sentence2', 'gold_label'], (i) => [
    sentences[i] ?? '',
    sentences[(i + 1) % 6] ?? '',
    ['entailment', 'neutral', 'contradiction'][i % 3] ?? '',
  ]),
  'talk/a.txt': sentences.join(' . ').repeat(4),
  'talk/b.txt': sentences.toReversed().join(' . ').repeat(3),
  'talk/c.txt': sentences.join(' or ').repeat(2),
  'squad/train-v2.0.json': JSON.stringify({ version: 'v2.0', data: [{ paragraphs: passages }] }),
  'idx/train-images-idx3-ubyte': idxBytes([6, 16, 16], images(6, 0)),
  'idx/train-labels-idx1-ubyte': idxBytes([6], [0, 1, 0, 1, 0, 1]),
  'cifar/test_batch.bin': record(7),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`cifar/data_batch_${i}.bin`, twoRecords(i)])),
  ...Object.fromEntries(
    ['dark', 'light'].flatMap((name, k) =>
      [0, 1, 2, 3, 4, 5].map((i) => [`folder/${name}/${i}.png`, plainPng(16, 16, 90 * k + 10 * i)]),
    ),
  ),
  ...Object.fromEntries(
    ['near', 'far'].flatMap((name, k) =>
      [0, 1, 2, 3, 4, 5].map((i) => [
        `clouds/${name}/${i}.xyz`,
        Array.from({ length: 24 }, (_, at) => values(3, 3 * at + i + 7 * k).join(' ')).join('\n'),
      ]),
    ),
  ),
}

export const files = memoryFiles(FILES)
