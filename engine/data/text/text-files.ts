import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { laterOf } from '../../records/keyed.ts'
import { digest, runningDigest } from '../digest.ts'
import type { FileEntry, FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { namedDataset } from '../kind.ts'
import { type PartName, partNamed } from '../partNames.ts'
import { type PassedOver, passedOver } from '../passedOver.ts'
import { join } from '../paths.ts'
import { checkOwnValidation, type SplitOptions, trainFileOf, trainFileShape } from '../splits.ts'
import type { Corpus } from '../types.ts'
import { entriesOf, findFiles, type TextFile } from './files.ts'
import { bytesOfPart, bytesOfParts, cutParts, sourceOf, type TextPart, textOfPiece, textPieces } from './source.ts'

const options = z.strictObject({
  /** A file, or a folder, whose files are all read, also in folders below it. */
  path: z.string().min(1),
  /**
   * Bytes to train on, from the first on to a line break, since running text has no examples; or, as `trainFile`, a file or
   * folder in `path`; without it one of the usual name, else all that is for nothing else.
   */
  ...trainFileShape,
  /** A file or folder in `path` to validate on; without it one of the usual name beside a test, else the end of the training text. */
  validationFile: z.string().min(1).optional(),
  /** A file or folder in `path` to test on; without it one of the usual name, else a share is held out. */
  test: z.string().min(1).optional(),
  /** How the names of the files in a folder end. */
  extensions: z.array(z.string().min(1)).min(1).default(['.txt']),
  /** The share that is tested on, where there is no test file. */
  holdout: z.number().gt(0).lt(1).default(0.1),
  /** Whether the end of the text is held out, from a line break on, or whole files. */
  holdoutBy: z.enum(['bytes', 'files']).default('bytes'),
  /** Decides which files are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
})

type Options = z.output<typeof options> & Pick<SplitOptions, 'validation'>

/**
 * Plain text in UTF-8, read piece by piece. The hash covers every byte up to 64 MB. Beyond, it covers the sizes of all
 * files and 64 blocks of 256 KB, evenly spaced from the first byte to the last: a change between two blocks that
 * leaves the sizes as they are goes unseen. Text is checked where it is read, when the corpus is opened and later.
 */
export const textFiles = namedDataset('textFiles', options, openTextFiles)

/** Of files and folders for the same part the first that is there; other names that are known are in partNames.ts. */
const FIRST: Readonly<Record<PartName, readonly string[]>> = {
  train: ['train.txt', 'wiki.train.tokens', 'wiki.train.raw', 'train'],
  validation: ['valid.txt', 'val.txt', 'wiki.valid.tokens', 'wiki.valid.raw', 'valid', 'val'],
  test: ['test.txt', 'wiki.test.tokens', 'wiki.test.raw', 'test'],
}

/** Endings of the parts of WikiText, beside those of the options. */
const WIKI = ['.tokens', '.raw']

const WHOLE = 64 * 2 ** 20
const BLOCK = 256 * 2 ** 10
const BLOCKS = 64
/** Bytes in which a line break is looked for. */
const LINE = 64 * 2 ** 10

async function openTextFiles(options: Options, hashed: object, files: FileSource): Promise<Corpus> {
  const passed = passedOver(options.path)
  const split = await splitFiles(options, files, passed)
  for (const [part, own] of Object.entries(split)) await checkText(own, part, options.path, files)
  const { train, validation, test } = split
  const parts = [train, validation, test]
  const content = await contentHash(parts.flat(), files)
  const sizes = parts.map((own) => own.map(bytesOfPart))
  const { trainFile: _, validationFile: __, ...deciding } = hashed as Partial<Options>
  return {
    name: 'textFiles',
    hash: digest(JSON.stringify(['textFiles', sizes, content, ...laterOf('textFiles', deciding)])),
    train: sourceOf(train, files),
    validation: sourceOf(validation, files),
    test: sourceOf(test, files),
    warnings: passed.notices(),
  }
}

/** Throws MixlabError `data` for a part of nothing but white space. */
async function checkText(parts: TextPart[], name: string, path: string, files: FileSource): Promise<void> {
  const bytes = bytesOfParts(parts)
  for (let from = 0; from < bytes; from += BLOCK) {
    for await (const piece of textPieces(parts, from, from + BLOCK, files)) {
      if (textOfPiece(piece).trim() !== '') return
    }
  }
  throw new MixlabError('data', path, `the ${name} part is nothing but white space`)
}

/** The text by what it is for, in three parts that have nothing in common. */
async function splitFiles(
  options: Options,
  files: FileSource,
  passed: PassedOver,
): Promise<Record<PartName, TextPart[]>> {
  const { path, extensions, holdout, validation: share } = options
  const entries = (await entriesOf(path, files)) ?? []
  const usual = (part: PartName, other?: string) => namedIn(entries, part, options, other)
  const filesAt = async (name: string | undefined) =>
    name === undefined ? null : findFiles(join(path, name), extensions, files, passed)

  const testName = options.test ?? usual('test')
  // of a held-out part alone the test is made, since that is what nothing replaces
  const alone = testName === undefined && options.validationFile === undefined
  const validationName = options.validationFile ?? (alone ? undefined : usual('validation', testName))
  const heldName = alone ? usual('validation') : testName
  const test = await filesAt(heldName)
  const validation = await filesAt(validationName)
  if (validation) checkOwnValidation(share, join(path, validationName ?? ''))

  const trainName = trainFileOf(options) ?? usual('train')
  const found = (await filesAt(trainName)) ?? (await findFiles(path, extensions, files, passed))
  const parts = [trainName, validationName, heldName]
  if (trainName !== undefined)
    for (const entry of entries)
      if (!parts.includes(entry.name))
        passed.add(entry, entry.name, entry.kind === 'file' ? 'file of no part' : undefined)
  const taken = new Set([...(test ?? []), ...(validation ?? [])].map((file) => file.path))
  const rest = found.filter((file) => !taken.has(file.path)).map(whole)
  if (rest.length === 0) throw new MixlabError('data', path, 'all files are for the test, none left to train on')
  if (options.holdoutBy === 'files' && !test && rest.length === 1) {
    throw new MixlabError('data', path, "1 file, expected 2 or more for holdoutBy 'files'")
  }

  const [left, held] = test ? [rest, test.map(whole)] : await holdOutOf(rest, holdout, 'holdout', options, files)
  const [kept, own] = validation
    ? [left, validation.map(whole)]
    : await holdOutOf(left, share, 'validation', options, files)
  return { train: await firstOf(kept, options, files), validation: own, test: held }
}

/** The file or folder of a part by its name, other than `other`. Throws MixlabError `data` where several may be meant. */
function namedIn(
  entries: readonly FileEntry[],
  part: PartName,
  { path, extensions }: Options,
  other?: string,
): string | undefined {
  const isNamed = ({ name, kind }: FileEntry) => {
    const ending = [...extensions, ...WIKI].find((each) => name.toLowerCase().endsWith(each.toLowerCase()))
    if (kind === 'file' && ending === undefined) return false
    return partNamed(kind === 'file' ? name.slice(0, -(ending as string).length) : name) === part
  }
  const names = entries.map(({ name }) => name).filter((name) => name !== other)
  const first = FIRST[part].find((name) => names.includes(name))
  if (first !== undefined) return first
  const [found, second] = entries
    .filter(isNamed)
    .map(({ name }) => name)
    .filter((name) => name !== other)
  if (second === undefined) return found
  const option = part === 'test' ? 'test' : `${part}File`
  throw new MixlabError(
    'data',
    path,
    `'${found}' and '${second}' are both named for the ${part} part; name one as ${option}`,
  )
}

/** Holds out whole files, where the options say so and there are several, or else the end. */
async function holdOutOf(
  parts: TextPart[],
  share: number,
  name: string,
  { path, holdoutBy, seed }: Options,
  files: FileSource,
): Promise<[kept: TextPart[], held: TextPart[]]> {
  if (holdoutBy === 'files' && parts.length > 1) {
    const { kept, held } = holdOut([...parts.keys()], share, keyOf(seed, name))
    const pick = (members: number[]) => members.flatMap((i) => parts[i] ?? [])
    return [pick(kept), pick(held)]
  }
  const total = bytesOfParts(parts)
  if (total < 2) throw new MixlabError('data', path, '1 byte of text, expected 2 or more to hold one out')
  return cutAtLine(parts, Math.round(total * (1 - share)), files)
}

/** The first bytes of the text to train on, as many as are asked for, or all. */
async function firstOf(parts: TextPart[], { train }: Options, files: FileSource): Promise<TextPart[]> {
  if (typeof train !== 'number') return parts
  const total = bytesOfParts(parts)
  if (train > total) {
    throw new MixlabError('option', 'task.data.train', `${train} bytes, expected at most ${total}, all that are left`)
  }
  return train === total ? parts : (await cutAtLine(parts, train, files))[0]
}

/** Cuts text of 2 bytes or more in two about byte `at`, at a line break where there is one near. */
async function cutAtLine(parts: TextPart[], at: number, files: FileSource): Promise<[TextPart[], TextPart[]]> {
  const total = bytesOfParts(parts)
  const cut = Math.min(total - 1, Math.max(1, at))
  const { value: next } = await textPieces(parts, cut, cut + LINE, files).next()
  const line = next ? cut + (next.bytes.indexOf(10) + 1 || next.bytes.length) : cut
  return cutParts(parts, line < Math.min(total, cut + LINE) ? line : cut)
}

async function contentHash(parts: TextPart[], files: FileSource): Promise<string> {
  const total = bytesOfParts(parts)
  const count = total > WHOLE ? BLOCKS : Math.ceil(total / BLOCK)
  const spacing = total > WHOLE ? (total - BLOCK) / (BLOCKS - 1) : BLOCK
  const hash = runningDigest()
  for (let block = 0; block < count; block++) {
    const from = Math.floor(block * spacing)
    for await (const piece of textPieces(parts, from, from + BLOCK, files)) {
      textOfPiece(piece)
      hash.add(piece.bytes)
    }
  }
  return hash.hex()
}

function whole(file: TextFile): TextPart {
  return { ...file, from: 0, to: file.size }
}
