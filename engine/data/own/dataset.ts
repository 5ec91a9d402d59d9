import { z } from 'zod'
import { noteDefinition } from '../../definitions.ts'
import { type Fail, MixlabError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import { runningDigest } from '../digest.ts'
import type { FileEntry, FileSource } from '../files.ts'
import { specOf } from '../spec.ts'
import { generatedCount, splitShape, splitThreeWays, validationCountBeside } from '../splits.ts'
import { decodeText } from '../text/utf8.ts'
import type { DataSpec, FieldBatch, FieldDataset, OwnDataset } from '../types.ts'
import { labelled } from './classes.ts'
import { type Collected, collect, type ExampleSource, fieldsOfFirst, splitOf } from './collect.ts'
import { type Draws, drawsOf, ownStreams, type Part } from './draws.ts'
import type { Example } from './example.ts'

interface Shared {
  /** What the labels stand for; of labels that are texts the ones that may be. The numbers, or all texts, by default. */
  classes?: string[]
  /** The shapes of values that are given as typed arrays, by their names, e.g. `{ image: [28, 28, 1] }`. */
  shape?: Record<string, number[]>
  /** Names all draws of `make`, and which examples of files are kept to validate on; 0 by default. */
  seed?: number
}

/** A data set whose examples are made. */
export interface MadeDataset extends Shared {
  /** FieldDataset to train on. */
  train: number
  /** FieldDataset to validate on, beside those; a ninth as many by default. */
  validation?: number
  /** FieldDataset to test on. */
  test: number
  /** Makes one example; every random number comes from `random`. */
  make(random: Draws, index: number): Example
}

/** A data set whose examples are read from files of the workspace. */
export interface ReadDataset extends Shared {
  /** The share of the training examples that is kept to validate on, where `read` gives none for it; 0.1 by default. */
  validation?: number
  /** Reads all examples; without `validation` a share of `train` is kept for it, by class. */
  read(files: CellFiles): Promise<ReadParts> | ReadParts
}

/** FieldDataset by part. */
export interface ReadParts {
  train: readonly Example[]
  validation?: readonly Example[]
  test: readonly Example[]
}

/** Files of the workspace. Paths are relative to it. */
export interface CellFiles {
  /** What is in a folder, sorted by name. */
  list(path: string): Promise<FileEntry[]>
  /** A file, or its bytes `from` to `to` (not included). */
  read(path: string, from?: number, to?: number): Promise<Uint8Array>
  /** A file of UTF-8 as text. */
  text(path: string): Promise<string>
}

const isFunction = (name: string, how: string) =>
  z.custom<(...given: never[]) => unknown>((given) => typeof given === 'function', `a function ${name}${how}`)
const shared = {
  classes: z.array(z.string().min(1)).min(2).optional(),
  shape: z.record(z.string(), z.array(z.int().min(1)).min(1)).default({}),
  seed: z.int().min(0).default(0),
}
const madeSchema = z.strictObject({
  ...shared,
  train: generatedCount,
  validation: generatedCount.optional(),
  test: generatedCount,
  make: isFunction('make', '(random, index) => example'),
})
const readSchema = z.strictObject({
  ...shared,
  validation: splitShape.validation,
  read: isFunction('read', '(files) => ({ train, test })'),
})

/**
 * Defines a data set: `make` makes one example, `{ image, label }`, `{ text, label }`, `{ text }`, `{ points, label }`,
 * `{ series }`, `{ image, target }` and whatever a task of a cell takes; or `read` reads all of them from files. The first
 * example says the names and shapes of all. Each is made twice and has to be the same; the digest of the values decides the
 * run key, not the code. Throws MixlabError `option`.
 */
export function dataset(name: string, options: MadeDataset | ReadDataset): DataSpec {
  if (typeof name !== 'string' || !name) throw new MixlabError('option', 'dataset', 'expected a name as first argument')
  const path = `data set '${name}'`
  const isRead = typeof options === 'object' && options !== null && 'read' in options
  const given = isRead
    ? (parseOptions(readSchema, options, path) as unknown as Resolved<ReadDataset>)
    : (parseOptions(madeSchema, options, path) as unknown as Resolved<MadeDataset>)
  const fail: Fail = (what) => new MixlabError('data', path, what)
  const open = async (files: FileSource) => {
    return examplesOf(name, given, 'read' in given ? await readTwice(given, files, fail) : made(given), fail)
  }
  let known: Promise<FieldDataset> | null = null
  const defined: OwnDataset = {
    name,
    decides: given,
    resolve: () => ({}),
    // what comes of `make` cannot change; files can
    open: (_, files) => {
      if (isRead) return open(files)
      known ??= open(files)
      known.catch(() => {
        known = null
      })
      return known
    },
  }
  noteDefinition(defined)
  return specOf(name, {}, defined)
}

type Resolved<Options> = Options & { shape: Record<string, number[]>; seed: number }

type Sources = Record<'train' | 'test', ExampleSource> & { validation: ExampleSource | null }

function made({ train, validation, test, seed, make }: Resolved<MadeDataset>): Sources {
  const source = (part: Part, size: number): ExampleSource => {
    const streams = ownStreams(seed, part)
    const at = (index: number): unknown => make(drawsOf(streams, index), index)
    return { size, at, again: at }
  }
  const beside = validation ?? validationCountBeside({ train, validation: splitShape.validation.parse(undefined) })
  return { train: source('train', train), validation: source('validation', beside), test: source('test', test) }
}

async function readTwice({ read }: Resolved<ReadDataset>, { list: all, read: bytes }: FileSource, fail: Fail) {
  const list = async (path: string) => (await all(path)).filter(({ kind }) => kind !== 'other')
  const text = async (path: string) => decodeText(await bytes(path), path, (offset) => `offset ${offset}`)
  const [first, second] = [await read({ list, read: bytes, text }), await read({ list, read: bytes, text })]
  const source = (part: Part): ExampleSource => {
    const [examples, again] = [first?.[part], second?.[part]]
    if (!Array.isArray(examples) || examples.length === 0)
      throw fail(`read gave no ${part}, expected a list of examples`)
    if (!Array.isArray(again) || again.length !== examples.length) {
      throw fail(`read gave ${examples.length} examples of ${part}, and ${again?.length} the second time`)
    }
    return { size: examples.length, at: (index) => examples[index], again: (index) => again[index] }
  }
  return { train: source('train'), validation: first?.validation ? source('validation') : null, test: source('test') }
}

async function examplesOf(
  name: string,
  { classes, shape, seed, validation }: Resolved<MadeDataset | ReadDataset>,
  sources: Sources,
  fail: Fail,
): Promise<FieldDataset> {
  const parts = Object.entries(sources).filter((each): each is [Part, ExampleSource] => each[1] !== null)
  const count = parts.reduce((sum, [, { size }]) => sum + size, 0)
  const first = fieldsOfFirst(sources.train.at(0), count, shape, (what) => fail(`example 0 of train: ${what}`))
  const unused = Object.keys(shape).find((field) => !first[field])
  if (unused !== undefined) {
    throw fail(`has a shape of '${unused}', but its examples have ${Object.keys(first).join(', ')}`)
  }
  const collected: Collected = {}
  for (const [part, source] of parts) collected[part] = await collect(source, part, first, fail)
  const { fields, values } = labelled(collected, first, classes, fail)
  const pool = (part: Part) => splitOf(values[part] as FieldBatch, fields, sources[part]?.size ?? 0)
  const own = sources.validation ? pool('validation') : undefined
  const share = own ? undefined : validation
  const labels = fields.label?.classes
  const divided = splitThreeWays(
    { train: pool('train'), validation: own, ...(labels && { classes: labels }) },
    { validation: share ?? splitShape.validation.parse(undefined), seed },
  )
  const hash = hashOf(fields, values, own ? [] : [share, seed])
  return { name, hash, fields, ...divided, test: pool('test') }
}

/** SHA-256 of the values, and of what else decides what is learned from them. */
function hashOf(fields: FieldDataset['fields'], values: Collected, drawn: unknown[]): string {
  const hash = runningDigest()
  const encode = (text: string) => hash.add(new TextEncoder().encode(text))
  const names = Object.keys(fields).sort()
  const sizes = Object.entries(values).map(([part, each]) => [part, each[names[0] as string]?.length])
  encode(JSON.stringify(['examples', 1, names.map((name) => [name, fields[name]]), sizes, drawn]))
  for (const each of Object.values(values)) {
    for (const name of names) {
      const all = each[name] as FieldBatch[string]
      if (Array.isArray(all)) encode(JSON.stringify(all))
      else hash.add(new Uint8Array(all.buffer, all.byteOffset, all.byteLength))
    }
  }
  return hash.hex()
}
