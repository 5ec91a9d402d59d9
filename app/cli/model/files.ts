import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { Question, Reply } from '../../../engine/predict/ask.ts'
import type { Cells } from '../../cells/cells.ts'
import { EXIT, type Terminal } from '../command.ts'
import { bytesOf } from './bytes.ts'

/** What stands for the lines that are piped in. */
export const PIPE = '-'

/** What of a folder is read, by what a model reads. */
const ENDINGS = { picture: /\.(png|jpe?g)$/i, points: /\.(off|xyz)$/i }

/** Most files, and bytes of files, that are asked at once. */
const [MOST, MOST_BYTES] = [64, 2 ** 26]

/** What the user asks, as it was written, and the question; null where its file cannot be read, with the reason. */
export interface Asked {
  input: string
  question: Question | null
  error?: string
}

/** What was said to it. */
export interface Answered {
  input: string
  reply: Reply
}

/** The lines that are piped in, apart by line ends or, as `find -print0` has them, by zeros. */
export async function pipedLines({ input }: Terminal): Promise<string[]> {
  return ((await input?.()) ?? '').split(/\r?\n|\0/).filter(Boolean)
}

/**
 * The files that words name, in their order: those of a folder and the folders in it, sorted, without hidden ones, and for
 * `-` those that are piped in. A folder without any is a word that cannot be read.
 */
export async function filesNamed(words: string[], reads: keyof typeof ENDINGS, output: Terminal): Promise<Asked[]> {
  const paths = await Promise.all(words.map(async (word) => (word === PIPE ? pipedLines(output) : [word])))
  const found = await Promise.all(
    paths.flat().map(async (path) => {
      if (!(await stat(path).catch(() => null))?.isDirectory()) return [{ input: path, question: null }]
      const below = await filesBelow(path, ENDINGS[reads])
      if (below.length > 0) return below.map((file) => ({ input: file, question: null }))
      return [{ input: path, question: null, error: `${path}: has no ${reads === 'picture' ? 'pictures' : 'points'}` }]
    }),
  )
  return found.flat()
}

async function filesBelow(folder: string, ending: RegExp): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const below = names.map(async (name) => {
    const path = join(folder, name)
    const isFolder = (await lstat(path)).isDirectory() // a link to a folder may lead round in a circle
    return isFolder ? filesBelow(path, ending) : ending.test(name) ? [path] : []
  })
  return (await Promise.all(below)).flat()
}

/** What a model says to each, in order; files are read when it is their turn. */
export async function* answered(asked: readonly Asked[], cells: Cells, top: number): AsyncGenerator<Answered> {
  let some: Asked[] = []
  let bytes = 0
  for (const [i, each] of asked.entries()) {
    const read = each.question || each.error !== undefined ? each : await readFile(each.input)
    bytes += read.question && 'file' in read.question ? read.question.file.length : 0
    some.push(read)
    if (some.length < MOST && bytes < MOST_BYTES && i < asked.length - 1) continue
    const replies = await cells.askAll(
      some.flatMap(({ question }) => question ?? []),
      top,
    )
    for (const { input, question, error = '' } of some)
      yield { input, reply: question ? (replies.shift() as Reply) : { error } }
    some = []
    bytes = 0
  }
}

async function readFile(path: string): Promise<Asked> {
  try {
    return { input: path, question: { file: await bytesOf(path), name: path } }
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
    return { input: path, question: null, error: messageOf(error) }
  }
}

/** The line of an error: the input stands in front. */
export const faultOf = (input: string, error: string) =>
  `mixlab: ${error.startsWith(`${input}: `) ? error : `${input}: ${error}`}`

/** The exit code where so many of all failed. */
export const exitFor = (failed: number, all: number) => (failed === 0 ? 0 : failed < all ? EXIT.runsFailed : EXIT.error)
