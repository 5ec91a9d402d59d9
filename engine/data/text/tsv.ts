import { z } from 'zod'
import { MixlabError, quoted } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { alike } from '../classNames.ts'
import { digest } from '../digest.ts'
import type { FileEntry, FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { checkIndices } from '../indices.ts'
import { datasetKind } from '../kind.ts'
import { type PartName, partNamed } from '../partNames.ts'
import { passedOver } from '../passedOver.ts'
import { join } from '../paths.ts'
import { type splitShape, trainFileOf, trainFileShape } from '../splits.ts'
import type { DataSpec, Pool, TextBatch, TextDataset, Undivided } from '../types.ts'
import { readPart } from './files.ts'
import { firstLine } from './lines.ts'
import { indexRows, MAX_CLASSES, type TsvRows } from './tsv-rows.ts'

const column = z.string().min(1)

const options = z.strictObject({
  /** The folder that holds the files. */
  path: z.string().min(1),
  /** Training rows; or a file name in `path`, as `trainFile`, where it is not `train.tsv`. */
  ...trainFileShape,
  /** A file name in `path`. Without it `dev.tsv`, and where that is missing a share is held out. */
  test: z.string().min(1).optional(),
  /** More files to be judged by, by the name of their metrics. */
  others: z.record(z.string().min(1), z.string().min(1)).default({}),
  /** Whether the first line names the columns; without it they are called `0`, `1`, ... */
  header: z.boolean().default(true),
  /** The columns of the text and of its label. */
  columns: z.strictObject({ first: column, label: column }),
  /** The labels in the order of the classes; without them those of the training file, sorted. */
  classes: z.array(z.string().min(1)).min(2).max(MAX_CLASSES).optional(),
  /** Rows with one of these labels are left out, with a warning; `''` for those without one. */
  leaveOut: z.array(z.string()).default([]),
  /** Leaves out rows that cannot be used, with a warning, where they otherwise are an error. */
  skipMalformed: z.boolean().default(false),
  /** The share of the training file that is tested on, where there is no test file. */
  holdout: z.number().gt(0).lt(1).default(0.2),
  /** Decides which rows are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
})
const pairOptions = options.extend({ columns: z.strictObject({ first: column, second: column, label: column }) })

type Shared = Pick<z.input<z.ZodObject<typeof splitShape>>, 'validation'>
export type TsvOptions = z.input<typeof options> & Shared
export type TsvPairOptions = z.input<typeof pairOptions> & Shared
type Options = z.output<typeof options> | z.output<typeof pairOptions>

/** Tab-separated texts and labels, without quoting, as GLUE has them. */
export const tsvKind = datasetKind('tsv', options, openTsv)

/** The same with two columns of text. */
export const tsvPairsKind = datasetKind('tsv', pairOptions, openTsv)

/** SST-2 of GLUE: sentences of film reviews; 0 is negative, 1 positive. */
const SST2 = { test: 'dev.tsv', columns: { first: 'sentence', label: 'label' }, classes: ['0', '1'] }

/** MNLI of GLUE. Where the annotators did not agree the label is `-`, where it is not published `hidden`. */
const MNLI = {
  test: 'dev_matched.tsv',
  others: { mismatched: 'dev_mismatched.tsv' },
  columns: { first: 'sentence1', second: 'sentence2', label: 'gold_label' },
  classes: ['entailment', 'neutral', 'contradiction'],
  leaveOut: ['-', 'hidden'],
}

async function openTsv(options: Options, hashed: object, files: FileSource): Promise<Undivided<TextDataset>> {
  const { path } = options
  const entries = (await files.list(path)).filter(({ kind }) => kind === 'file')
  const index = (name: string, layout: Options) => indexRows(join(path, name), layout, files)

  const trainName = trainFileOf(options) ?? tableOf('train', 'train.tsv', entries, path) ?? 'train.tsv'
  const train = await index(trainName, options)
  const { classes } = train
  if (classes.length < 2)
    throw new MixlabError('data', train.path, `all labels are ${quoted(classes[0] ?? '')}, expected 2 classes`)
  const layout = { ...options, classes }
  const testName = options.test ?? tableOf('validation', 'dev.tsv', entries, path)
  const test = testName === null ? null : await index(testName, layout)
  const others: Record<string, TsvRows> = {}
  for (const [name, file] of Object.entries(options.others)) others[name] = await index(file, layout)

  const [kept, held] = test ? [everything(train), everything(test)] : partsOf(train, options)
  const all = [train, ...(test ? [test] : []), ...Object.values(others)]
  const decided = { ...(hashed as Options), classes }
  const { path: _path, train: _train, trainFile: _file, test: _test, others: _others, ...rest } = decided
  const { holdout, seed, ...deciding } = rest
  const share = test ? null : [holdout, seed]
  const hashes = [train.hash, test?.hash, Object.entries(others).map(([name, rows]) => [name, rows.hash])]
  const splits = Object.entries(others).map(([name, rows]) => [name, rowSplit(rows, everything(rows), files)] as const)
  return {
    name: 'tsv',
    classes,
    hash: digest(JSON.stringify(['tsv', deciding, share, hashes])),
    train: rowSplit(train, kept, files),
    test: rowSplit(test ?? train, held, files),
    others: Object.fromEntries(splits),
    warnings: [
      ...alike(classes),
      ...all.flatMap(({ warnings }) => warnings),
      ...(options.test === undefined
        ? unread(entries, [trainName, testName, ...Object.values(options.others)], path)
        : []),
    ],
  }
}

/** A table by the part that it is named for, `usual` before others; null for none. Throws MixlabError `data` for two. */
function tableOf(part: PartName, usual: string, entries: readonly FileEntry[], path: string): string | null {
  const named = entries.map(({ name }) => name).filter((name) => partOfTable(name) === part)
  if (named.includes(usual)) return usual
  const [found = null, second] = named
  if (second === undefined) return found
  const option = part === 'train' ? 'trainFile' : 'test'
  throw new MixlabError(
    'data',
    path,
    `'${found}' and '${second}' are both named for the ${part} part; name one as ${option}`,
  )
}

const partOfTable = (name: string) => (/\.tsv$/i.test(name) ? partNamed(name.slice(0, -4)) : null)

/** What to know of tables that are named for a part and not read. */
function unread(entries: readonly FileEntry[], read: readonly (string | null)[], path: string): string[] {
  const passed = passedOver(path)
  for (const entry of entries) if (partOfTable(entry.name) && !read.includes(entry.name)) passed.add(entry, entry.name)
  return passed.notices()
}

function everything({ labels }: TsvRows): number[] {
  return Array.from(labels, (_, row) => row)
}

function partsOf(train: TsvRows, { holdout, seed }: Options): [number[], number[]] {
  const { kept, held } = holdOut(everything(train), holdout, keyOf(seed, 'holdout'))
  return [kept, held]
}

/** Texts and labels, or with `columns.second` pairs of texts, in tab-separated files in the folder `path`. */
export function tsv(options: TsvOptions | TsvPairOptions): DataSpec {
  return { dataset: 'tsv', options: { ...options } }
}

/** SST-2 as GLUE has it: `train.tsv` and `dev.tsv` in the folder `path`. */
export function sst2(options: Partial<TsvOptions> & { path: string }): DataSpec {
  return { dataset: 'tsv', options: { ...SST2, ...options } }
}

/** MNLI as GLUE has it: `train.tsv`, `dev_matched.tsv` and `dev_mismatched.tsv` in the folder `path`. */
export function mnli(options: Partial<TsvPairOptions> & { path: string }): DataSpec {
  return { dataset: 'tsv', options: { ...MNLI, ...options } }
}

/** Rows that are at most this many bytes apart are read at once. */
const GAP = 16 * 2 ** 10

/** The rows `members` of a file, which are read from it when they are needed. */
function rowSplit(rows: TsvRows, members: ArrayLike<number>, files: FileSource): Pool<TextBatch> {
  const read = async (indices: ArrayLike<number>): Promise<TextBatch> => {
    checkIndices(indices, members.length)
    const wanted = Array.from(indices, (index) => members[index] ?? 0)
    const found = await readRows(rows, wanted, files)
    const column = (place: number) => wanted.map((row) => found.get(row)?.[place] ?? '')
    const [first = 0, second] = rows.texts
    const labels = Int32Array.from(wanted, (row) => rows.labels[row] ?? 0)
    return { first: column(first), ...(second === undefined ? {} : { second: column(second) }), labels }
  }
  return { size: members.length, read, labels: Array.from(members, (row) => rows.labels[row] ?? 0) }
}

/** The columns of rows, by row. */
async function readRows(rows: TsvRows, wanted: number[], files: FileSource): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>()
  const start = (row = 0) => rows.starts[row] ?? 0
  const end = (row = 0) => rows.ends[row] ?? 0
  const runs: number[][] = []
  for (const row of [...new Set(wanted)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && start(row) - end(run.at(-1)) <= GAP) run.push(row)
    else runs.push([row])
  }
  await Promise.all(
    runs.map(async (run) => {
      const from = start(run[0])
      const bytes = await readPart(rows.path, from, end(run.at(-1)), files)
      for (const row of run) found.set(row, columnsAt(bytes.subarray(start(row) - from), start(row), rows))
    }),
  )
  return found
}

/** The columns of the row that `bytes` begin with, at `offset` of the file. */
function columnsAt(bytes: Uint8Array, offset: number, { path, texts }: TsvRows): string[] {
  const columns = firstLine(bytes, path, (at) => `offset ${offset + at}`).split('\t')
  if (texts.every((place) => columns[place])) return columns
  throw new MixlabError('data', path, `offset ${offset}: no longer the row that was here; the file has changed`)
}
