import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf } from '../../random.ts'
import { laterOf } from '../../records/keyed.ts'
import { digest } from '../digest.ts'
import type { FileSource } from '../files.ts'
import { holdOut } from '../holdout.ts'
import { checkIndices } from '../indices.ts'
import { namedDataset } from '../kind.ts'
import { join } from '../paths.ts'
import { trainFileOf, trainFileShape } from '../splits.ts'
import type { Pool, SpanBatch, SpanDataset, Undivided } from '../types.ts'
import { findFile } from './files.ts'
import { parseSquad, type SquadFile, type SquadQuestion } from './squad-file.ts'

const options = z.strictObject({
  /** The folder that holds the files. */
  path: z.string().min(1),
  /** Training questions; or a file name in `path`, as `trainFile`, where it is not `train-v*.json`. */
  ...trainFileShape,
  /** A file name in `path`, where it is not `dev-v*.json`. */
  test: z.string().min(1).optional(),
  /** Leaves out questions that cannot be used, with a warning, where they otherwise are an error. */
  skipMalformed: z.boolean().default(false),
  /** The share of the training passages that is tested on, where there is no test file. */
  holdout: z.number().gt(0).lt(1).default(0.1),
  /** Decides which passages are held out, for the test and for validation. */
  seed: z.int().min(0).default(0),
})

type Options = z.output<typeof options>

/** SQuAD 1.1 and 2.0: questions on passages of Wikipedia, answered by a span, or in 2.0 not at all. */
export const squad = namedDataset('squad', options, openSquad)

const USUAL_NAMES = { train: /^train-v.*\.json$/, test: /^dev-v.*\.json$/ }

/** A file is read whole; the published ones have 42 MB. */
const MAX_FILE_BYTES = 512 * 2 ** 20
/** Malformed questions that the warnings name. */
const NAMED = 10

interface Opened extends SquadFile {
  path: string
  hash: string
}

async function openSquad(options: Options, hashed: object, files: FileSource): Promise<Undivided<SpanDataset>> {
  const names = (await files.list(options.path)).map(({ name }) => name)
  const trainName = nameOf('train', options, names)
  if (trainName === null) throw new MixlabError('data', options.path, 'no training file, looked for train-v*.json')
  const testName = nameOf('test', options, names)

  const train = await readFile(join(options.path, trainName), options, files)
  const test = testName === null ? null : await readFile(join(options.path, testName), options, files)
  const [kept, held] = test ? [train.questions, test.questions] : partsOf(train, options)
  if (kept.length === 0 || held.length === 0) {
    throw new MixlabError('data', train.path, 'questions on 1 passage, expected 2 or more to hold one out')
  }
  const share = test ? null : [options.holdout, options.seed]
  const { trainFile: _, ...deciding } = hashed as Partial<Options>
  const hashes = [train.hash, test?.hash]
  const opened = [train, ...(test ? [test] : [])]
  return {
    name: 'squad',
    hash: digest(JSON.stringify(['squad', options.skipMalformed, share, hashes, ...laterOf('squad', deciding)])),
    unanswerable: opened.some(({ questions }) => questions.some(({ answers }) => answers.length === 0)),
    train: questionSplit(train.passages, kept),
    test: questionSplit((test ?? train).passages, held),
    warnings: [...opened.flatMap(malformedWarnings), ...versionWarning(train, test)],
  }
}

function nameOf(role: 'train' | 'test', options: Options, names: string[]): string | null {
  const usual = names.filter((name) => USUAL_NAMES[role].test(name))
  const name = role === 'train' ? trainFileOf(options) : options.test
  if (name !== undefined || usual.length < 2) return name ?? usual[0] ?? null
  throw new MixlabError(
    'data',
    options.path,
    `${usual.join(' and ')}, expected one; name it as '${role === 'train' ? 'trainFile' : 'test'}'`,
  )
}

async function readFile(path: string, { skipMalformed }: Options, files: FileSource): Promise<Opened> {
  const { size } = await findFile(path, files)
  if (size > MAX_FILE_BYTES) {
    const megabytes = Math.ceil(size / 2 ** 20)
    throw new MixlabError('data', path, `${megabytes} MB, expected at most ${MAX_FILE_BYTES / 2 ** 20} MB`)
  }
  const bytes = await files.read(path)
  const file = parseSquad(bytes, path, skipMalformed)
  const hash = digest(bytes)
  return { ...file, path, hash: file.blank > 0 ? digest(`${hash} without ${file.blank} blank`) : hash }
}

/** Holds out passages with all their questions. */
function partsOf({ questions }: Opened, { holdout, seed }: Options): [SquadQuestion[], SquadQuestion[]] {
  const passages = [...new Set(questions.map(({ passage }) => passage))]
  const held = new Set(holdOut(passages, holdout, keyOf(seed, 'holdout')).held)
  return [questions.filter(({ passage }) => !held.has(passage)), questions.filter(({ passage }) => held.has(passage))]
}

function questionSplit(passages: string[], members: SquadQuestion[]): Pool<SpanBatch> {
  const read = async (indices: ArrayLike<number>): Promise<SpanBatch> => {
    checkIndices(indices, members.length)
    const chosen = Array.from(indices).flatMap((index) => members[index] ?? [])
    return {
      questions: chosen.map(({ question }) => question),
      passages: chosen.map(({ passage }) => passages[passage] ?? ''),
      answers: chosen.map(({ answers }) => answers),
    }
  }
  return { size: members.length, read, groups: members.map(({ passage }) => passage) }
}

function malformedWarnings({ path, malformed, questions }: Opened): string[] {
  if (malformed.length === 0) return []
  const total = malformed.length + questions.length
  return [`${path}: ${malformed.length} of ${total} questions left out as malformed`, ...malformed.slice(0, NAMED)]
}

function versionWarning(train: Opened, test: Opened | null): string[] {
  if (!test || test.version === train.version) return []
  return [`${test.path}: version ${test.version}, and training is ${train.version}`]
}
