import type { StoredRunDetails } from '../../../engine/records/run.ts'
import { recordedSpec } from '../../../engine/study/recreate/recorded.ts'
import type { AnswerRequest } from '../../protocol/kernel.ts'

export type Question = AnswerRequest['question']

/** What a run can be asked: files, with an eye on what they hold, or texts, by their names. */
export interface QuestionKind {
  /** What the endings of files are; null for texts. */
  files: string | null
  /** Whether it can be drawn. */
  drawn: boolean
  texts: readonly string[]
  /** Those of them that have many lines. */
  long?: readonly string[]
  /** Whether it writes texts. */
  writes?: true
  /** Whether it can be asked about validation examples. */
  examples?: true
  /** Whether its answer, a class, a span or masked words, is explained. */
  explained?: true
  /** What is to be known before asking. */
  hint: string
}

const PICTURES =
  'A file is resized to cover what the model reads, and its centre cut out. A drawing becomes like the examples.'
const SCENES =
  'A file is resized to cover what the model reads, and its centre cut out; each pixel gets a class, so no one answer is explained.'
const STEPS =
  'A step a line, the values of its channels apart by commas; the last steps are read. A forecast has no probability that could be explained.'
const CLOUDS = 'A mesh, .off, or a cloud, .xyz: as many points are taken as the model reads.'
const SPANS = 'The answer is a part of the passage.'
const WORDS = '[MASK] stands for a word to be told; without one it is told how the text goes on.'

const KINDS: Record<string, QuestionKind> = {
  image: { files: 'image/png,image/jpeg', drawn: true, texts: [], examples: true, explained: true, hint: PICTURES },
  segment: { files: 'image/png,image/jpeg', drawn: false, texts: [], examples: true, hint: SCENES },
  forecast: { files: '.csv,.tsv,.txt', drawn: false, texts: ['series'], long: ['series'], examples: true, hint: STEPS },
  points: { files: '.off,.xyz', drawn: false, texts: [], examples: true, explained: true, hint: CLOUDS },
  sequence: { files: null, drawn: false, texts: ['text'], examples: true, explained: true, hint: '' },
  pair: { files: null, drawn: false, texts: ['first text', 'second text'], examples: true, explained: true, hint: '' },
  span: {
    files: null,
    drawn: false,
    texts: ['question', 'passage'],
    long: ['passage'],
    examples: true,
    explained: true,
    hint: SPANS,
  },
  clm: {
    files: null,
    drawn: false,
    texts: [],
    writes: true,
    hint: 'Each further text is another draw; none is explained.',
  },
  mlm: { files: null, drawn: false, texts: ['text'], long: ['text'], examples: true, explained: true, hint: WORDS },
}

/** What a run can be asked; null where that is not known. */
export function askedOf({ id, spec }: Pick<StoredRunDetails, 'id' | 'spec'>): QuestionKind | null {
  try {
    return askedFor(recordedSpec(spec, `run ${id}`).task.task)
  } catch {
    return null
  }
}

/** What a model of a task can be asked; null for one that cannot be asked by hand. */
export const askedFor = (task: string): QuestionKind | null => KINDS[task] ?? null
