import { existsSync, statSync } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemEntry, type PassedOver, passedOver } from '../../../engine/data/passedOver.ts'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { Question, Reply } from '../../../engine/predict/ask.ts'
import { gatherWeights } from '../../../engine/weights/files/gather.ts'
import { pointerText } from '../../../engine/weights/files/kind.ts'
import type { Cells } from '../../cells/cells.ts'
import { fileErrorCode, fileErrorReason } from '../../workspace/file-error.ts'
import { readRegularFile } from '../../workspace/regular-file.ts'
import { EXIT, type Terminal } from '../command.ts'

/** What stands for the lines that are piped in. */
export const PIPE = '-'

/** What of a folder is read, by what a model reads. */
const ENDINGS = { picture: /\.(png|jpe?g)$/i, points: /\.(off|xyz)$/i, series: /\.(csv|tsv|txt)$/i }

/** Most files, and bytes of files, that are asked at once. */
const [MOST, MOST_BYTES] = [64, 2 ** 26]

/** What the user asks, as it was written; where there is no question, `input` is the path of a file. */
export interface Asked {
  input: string
  question?: Question
}

/** What was said to it. */
export interface Answered {
  input: string
  reply: Reply
}

/** The lines that are piped in, apart by line ends or, as `find -print0` has them, by zeros. */
export async function pipedLines({ input }: Terminal): Promise<string[]> {
  return ((await input?.()) ?? '').split(/\r?\n|\0/).filter((line) => line.trim() !== '')
}

/**
 * The files that words name, in their order: a word is a file, a folder (all files below it, sorted, without hidden
 * ones), or `-` for the paths that are piped in. A folder without any file is passed on as it is.
 */
export async function filesNamed(words: string[], reads: keyof typeof ENDINGS, output: Terminal): Promise<Asked[]> {
  const paths = await Promise.all(words.map(async (word) => (word === PIPE ? pipedLines(output) : [word])))
  const found: Asked[] = []
  for (const path of paths.flat()) {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory()
    const passed = passedOver(path)
    const below = isFolder ? await filesBelow(path, ENDINGS[reads], passed) : []
    for (const notice of passed.notices()) output.err(notice)
    found.push(...(below.length > 0 ? below : [path]).map((input) => ({ input })))
  }
  return found
}

async function filesBelow(folder: string, ending: RegExp, passed: PassedOver): Promise<string[]> {
  const below = (await readdir(folder)).sort().map(async (name) => {
    const path = join(folder, name)
    if (isSystemEntry({ name })) return []
    const found = await lstat(path)
    if (found.isDirectory()) return filesBelow(path, ending, passed)
    if (ending.test(name)) return [path]
    const isLink = found.isSymbolicLink() // one to a folder may lead round in a circle
    passed.add({ name, kind: 'file', size: 0 }, path, isLink ? 'link' : undefined)
    return []
  })
  return (await Promise.all(below)).flat()
}

/** Asks a model each question and yields the answers, in order; files are read when it is their turn. */
export async function* answered(asked: readonly Asked[], cells: Cells, top: number): AsyncGenerator<Answered> {
  for (let from = 0, to = 0; from < asked.length; from = to) {
    const questions: (Question | { error: string })[] = []
    for (let bytes = 0; to < asked.length && to - from < MOST && bytes < MOST_BYTES; to++) {
      const { input, question = await questionOf(input) } = asked[to] as Asked
      bytes += 'file' in question ? question.file.length : 0
      questions.push(question)
    }
    const sound = questions.filter((question): question is Question => !('error' in question))
    const replies = await cells.askAll(sound, top)
    for (const [i, question] of questions.entries()) {
      const { input } = asked[from + i] as Asked
      yield { input, reply: 'error' in question ? question : (replies.shift() as Reply) }
    }
  }
}

/** The question that a file is. */
export async function questionOf(path: string): Promise<Question | { error: string }> {
  try {
    const file = await bytesOf(path)
    const pointer = pointerText(file)
    return pointer ? { error: pointer } : { file, name: path }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** The line of an error: the input stands in front. */
export const faultOf = (input: string, error: string) =>
  `mixlab: ${error.startsWith(`${input}: `) ? error : `${input}: ${error}`}`

/** The exit code where so many of all failed. */
export const exitFor = (failed: number, all: number) => (failed === 0 ? 0 : failed < all ? EXIT.runsFailed : EXIT.error)

/** The file of weights that the user names, or that of a folder, in its parts. Throws MixlabError `weights` and `data`. */
export async function gatherFile(word: string): Promise<{ path: string; parts: Uint8Array[] }> {
  const isFolder = existsSync(word) && statSync(word).isDirectory()
  const list = (path: string) => readdir(path, { withFileTypes: true })
  return gatherWeights(isFolder ? `${word}/` : word, { list, read: bytesOf })
}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder without a file that is read',
  ERR_FS_FILE_TOO_LARGE: 'is larger than 2 GiB',
}

/** The bytes of a file that the user names. Throws MixlabError `data`. */
export async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(readRegularFile(path))
  } catch (error) {
    throw new MixlabError('data', path, REASONS[fileErrorCode(error)] ?? `cannot be read: ${fileErrorReason(error)}`)
  }
}
