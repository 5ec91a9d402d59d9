import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { laterOf } from '../../records/keyed.ts'
import { digest, runningDigest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { dataset } from '../kind.ts'
import { join } from '../paths.ts'
import type { Corpus } from '../types.ts'
import { entriesOf, findFiles, type TextFile } from './files.ts'
import { bytesOfPart, bytesOfParts, cutParts, sourceOf, type TextPart, textOfPiece, textPieces } from './source.ts'

const options = z.strictObject({
  /** A file, or a folder of which all files are read, also those in folders in it. */
  path: z.string().min(1),
  /** A file or folder in `path` to train on; without it one of the usual name, else all but the test. */
  train: z.string().min(1).optional(),
  /** A file or folder in `path` to test on; without it one of the usual name, else a share is held out. */
  test: z.string().min(1).optional(),
  /** How the names of the files in a folder end. */
  extensions: z.array(z.string().min(1)).min(1).default(['.txt']),
  /** The share that is tested on, where there is no test file. */
  holdout: z.number().gt(0).lt(1).default(0.1),
  /** Whether the end of the text is held out, from a line break on, or whole files. */
  holdoutBy: z.enum(['bytes', 'files']).default('bytes'),
  /** Decides which files are held out. */
  seed: z.int().min(0).default(0),
})

type Options = z.output<typeof options>

/**
 * Plain text in UTF-8, read piece by piece. The hash covers every byte up to 64 MB. Beyond, it covers the sizes of all
 * files and 64 blocks of 256 KB, evenly spaced from the first byte to the last: a change between two blocks that
 * leaves the sizes as they are goes unseen. Text is checked where it is read, when the corpus is opened and later.
 */
export const textFiles = dataset('textFiles', options, openTextFiles)

/** Names of files and folders that say what they are for; the first that is there counts. */
const USUAL_NAMES = {
  train: ['train.txt', 'wiki.train.tokens', 'wiki.train.raw', 'train'],
  test: [
    ...['test.txt', 'wiki.test.tokens', 'wiki.test.raw', 'test'],
    ...['valid.txt', 'val.txt', 'wiki.valid.tokens', 'wiki.valid.raw', 'valid', 'val'],
  ],
}

const WHOLE = 64 * 2 ** 20
const BLOCK = 256 * 2 ** 10
const BLOCKS = 64
/** Bytes in which a line break is looked for. */
const LINE = 64 * 2 ** 10

async function openTextFiles(options: Options, hashed: object, files: FileSource): Promise<Corpus> {
  const [train, test] = await splitFiles(options, files)
  const content = await contentHash([...train, ...test], files)
  const sizes = [train, test].map((parts) => parts.map(bytesOfPart))
  return {
    name: 'textFiles',
    hash: digest(JSON.stringify(['textFiles', sizes, content, ...laterOf('textFiles', hashed)])),
    train: sourceOf(train, files),
    test: sourceOf(test, files),
  }
}

async function splitFiles(options: Options, files: FileSource): Promise<[TextPart[], TextPart[]]> {
  const names = (await entriesOf(options.path, files))?.map(({ name }) => name) ?? []
  const find = async (role: 'train' | 'test') => {
    const name = options[role] ?? USUAL_NAMES[role].find((usual) => names.includes(usual))
    return name === undefined ? null : findFiles(join(options.path, name), options.extensions, files)
  }
  const test = await find('test')
  const train = (await find('train')) ?? (await findFiles(options.path, options.extensions, files))
  if (!test) return options.holdoutBy === 'files' ? holdFilesOut(train, options) : holdEndOut(train, options, files)

  const isTest = new Set(test.map(({ path }) => path))
  const rest = train.filter(({ path }) => !isTest.has(path))
  if (rest.length === 0)
    throw new MixlabError('data', options.path, 'all files are for the test, none left to train on')
  return [rest.map(whole), test.map(whole)]
}

function holdFilesOut(found: TextFile[], { path, holdout, seed }: Options): [TextPart[], TextPart[]] {
  if (found.length === 1) throw new MixlabError('data', path, "1 file, expected 2 or more for holdoutBy 'files'")
  const parts = found.map(whole)
  const everything = parts.map((_, i) => i)
  const { kept, held } = holdOut(everything, holdout, keyOf(seed, 'holdout'))
  const pick = (members: number[]) => members.flatMap((i) => parts[i] ?? [])
  return [pick(kept), pick(held)]
}

/** Cuts the end off, at a line break where there is one near. */
async function holdEndOut(
  found: TextFile[],
  { path, holdout }: Options,
  files: FileSource,
): Promise<[TextPart[], TextPart[]]> {
  const parts = found.map(whole)
  const total = bytesOfParts(parts)
  if (total < 2) throw new MixlabError('data', path, '1 byte of text, expected 2 or more to hold one out')
  const cut = Math.min(total - 1, Math.max(1, Math.round(total * (1 - holdout))))
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
