import * as tf from '@tensorflow/tfjs-core'
import { decodeImage } from '../data/images/decode.ts'
import type { Image } from '../data/images/resize.ts'
import { decodeCloud } from '../data/points/cloud.ts'
import { type PointOrder, sortPoints } from '../data/points/order.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import { MixlabError } from '../errors.ts'
import { keyOf } from '../random.ts'
import { fitted, type TextInput, textTensors } from '../tasks/textInput.ts'
import type { Preparation } from '../tasks/types.ts'
import { type Answer, likeliest } from './answer.ts'
import { type Logits, logitRows, type ModelBatch, orFault } from './batched.ts'
import { checkFinite } from './finite.ts'
import { likeliestSpans, windowsFor } from './passages.ts'
import { pictureInput, preprocess } from './pictures.ts'
import { forecastIn, maskIn, type ReadSteps, scaledSteps, stepsIn } from './places.ts'
import { maskedBatch } from './texts.ts'
import type { TrainedModel } from './trained.ts'

/** What a model is asked: a file with a picture, a cloud of points or a series, a picture, or one or two texts. */
export type Question = { file: Uint8Array; name: string } | { picture: Image } | { texts: string[] }

/** What a model of each task is asked about: files, or so many texts. */
const READS = {
  image: 'picture',
  segment: 'picture',
  points: 'points',
  forecast: 'series',
  sequence: 1,
  pair: 2,
  span: 2,
  mlm: 1,
} as const

/** What a model is asked about: files, or so many texts. */
export const readsOf = ({ task }: TrainedModel['task']) =>
  READS[task as keyof typeof READS] as (typeof READS)[keyof typeof READS] | undefined

/** What a model says to one of many questions, or why it says nothing. */
export type Reply = { answers: Answer[] } | { error: string }

/**
 * What a model says, the `top` likeliest of each place. Throws MixlabError `data` for a file that it cannot read, `option`
 * for a question of another kind, and `numerics` where its output is not a number.
 */
export async function ask(model: TrainedModel, question: Question, top: number): Promise<Answer[]> {
  const [reply] = await repliesTo(model, [question], top)
  if (reply instanceof MixlabError) throw reply
  return reply as Answer[]
}

/** The same for many questions, each with what it has alone: one that cannot be answered is no hindrance to the others. */
export async function askAll(model: TrainedModel, questions: Question[], top: number): Promise<Reply[]> {
  const replies = await repliesTo(model, questions, top)
  return replies.map((reply) => (reply instanceof MixlabError ? { error: reply.message } : { answers: reply }))
}

async function repliesTo(model: TrainedModel, questions: Question[], top: number): Promise<(Answer[] | MixlabError)[]> {
  const { preparation, task } = model
  checkAsked(model)
  const own = preparation.kind === 'text' && { span: askPassage, mlm: askMasked }[task.task]
  if (own) {
    const replies: (Answer[] | MixlabError)[] = []
    for (const question of questions) replies.push(await orFault(async () => own(model, textsOf(question, model), top)))
    return replies
  }
  const most = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(MOST_VALUES / valuesOf(preparation))))
  const inputOf = (question: Question) => inputFor(question, model)
  const rows = await logitRows(questions, most, inputOf, (batch) => logitsOf(model, batch))
  const answer = async (row: Float32Array | MixlabError, i: number) => {
    if (row instanceof MixlabError) return row
    const { note } = preparation.kind === 'series' ? stepsFor(questions[i] as Question, model) : {}
    return orFault(async () => [{ ...(await answerIn(row, model, top)), ...(note && { note }) }])
  }
  return Promise.all(rows.map(answer))
}

/** What the output of a model for one example says. Throws MixlabError `numerics` where it is not a number. */
async function answerIn(row: Float32Array, model: TrainedModel, top: number): Promise<Answer> {
  const { preparation, classes, task } = model
  const isForecast = preparation.kind === 'series'
  const isMask = preparation.kind === 'image' && task.task === 'segment'
  const choices = isForecast ? 1 : isMask ? (classes ?? []).length : row.length
  await checkFinite(row, choices, model)
  if (isForecast) return forecastIn(row, preparation)
  if (isMask) return maskIn(row, preparation.size, classes ?? [])
  return { likely: likeliest(row, top, (i) => classes?.[i] || `class ${i}`) }
}

/** Throws MixlabError `option` for a model whose task has no questions, such as regression. */
export function checkAsked({ source, task }: Pick<TrainedModel, 'source' | 'task'>): void {
  if (readsOf(task) !== undefined) return
  const how = task.task === 'clm' ? 'writes texts: mixlab generate' : 'can be evaluated on data, but not asked'
  throw new MixlabError('option', source, `is of task ${task.task}, which ${how}`)
}

/** Questions that are asked at once: as many as have about so many values, and no more than so many. */
const [MOST_VALUES, MOST_AT_ONCE] = [2 ** 22, 64]

function valuesOf(how: Preparation): number {
  if (how.kind === 'image') return how.size[0] * how.size[1] * how.channels
  if (how.kind === 'series') return how.window * how.channels
  return how.kind === 'points' ? 3 * how.points : how.tokens
}

/** What a model reads for one question; the caller disposes it. Throws as `ask`. */
export function inputFor(question: Question, model: TrainedModel): ModelBatch {
  const { preparation, tokenizer } = model
  if (preparation.kind === 'text') {
    const ids = textsOf(question, model).map((text) => (tokenizer as Tokenizer).encode(text).ids)
    return textTensors([fitted(preparation.tokens, ...(ids as [Int32Array, Int32Array?]))], preparation.tokens)
  }
  if (preparation.kind === 'series') {
    const { window, channels } = preparation
    return { input: tf.tensor3d(scaledSteps(stepsFor(question, model).steps, preparation), [1, window, channels]) }
  }
  if (preparation.kind === 'points') {
    return { input: tf.tensor3d(cloudFor(question, model), [1, preparation.points, 3]) }
  }
  if ('texts' in question) throw wrongKind(model, 'no text')
  return { input: pictured(question, preparation) }
}

/**
 * The steps that a model which forecasts reads for a question, in the units of the series. Throws MixlabError `data`, and
 * `option` for another question.
 */
export function stepsFor(question: Question, model: TrainedModel): ReadSteps {
  const preparation = model.preparation as Extract<Preparation, { kind: 'series' }>
  if ('file' in question) return stepsIn(new TextDecoder().decode(question.file), question.name, preparation)
  if ('texts' in question && question.texts.length === 1) return stepsIn(question.texts[0] ?? '', 'series', preparation)
  throw wrongKind(model, 'no picture')
}

/** The texts of a question, as many as the model reads. Throws MixlabError `option` for others. */
export function textsOf(question: Question, model: TrainedModel): string[] {
  if (!('texts' in question)) throw wrongKind(model, 'no file')
  if (question.texts.length === readsOf(model.task)) return question.texts
  throw wrongKind(model, `not ${question.texts.length}`)
}

async function askMasked(model: TrainedModel, [text = '']: string[], top: number): Promise<Answer[]> {
  const { batch, places, tokenizer } = maskedBatch(text, model)
  const logits = await logitsFor(model, batch)
  return places.map((_, i) => ({
    ...(places.length > 1 && { place: i + 1 }),
    likely: likeliest(logits.subarray(i * tokenizer.size, (i + 1) * tokenizer.size), top, tokenizer.textOf),
  }))
}

async function askPassage(model: TrainedModel, texts: string[], top: number): Promise<Answer[]> {
  const asked = await windowsFor(texts, model)
  const read = (windows: TextInput[]) => logitsFor(model, textTensors(windows, asked.tokens))
  return [{ likely: await likeliestSpans(asked, texts[1] ?? '', read, top) }]
}

function wrongKind({ source, task }: TrainedModel, given: string): MixlabError {
  const wanted = {
    picture: 'a PNG or JPEG file',
    points: 'an .off or .xyz file',
    series: 'numbers, a step a line',
    1: 'one text',
    2: 'two texts',
  }
  const what = task.task === 'span' ? 'two texts, a question and a passage' : wanted[readsOf(task) ?? 1]
  return new MixlabError('option', source, `reads ${what}, ${given}`)
}

function pictured(question: Exclude<Question, { texts: string[] }>, how: Extract<Preparation, { kind: 'image' }>) {
  const picture = 'file' in question ? decodeImage(question.file, question.name) : question.picture
  return pictureInput(preprocess(picture, how), how)
}

/**
 * The points `[points, 3]`, flat, that a model of clouds reads for a file, the same ones every time. Throws MixlabError
 * `data`, and `option` for another question.
 */
export function cloudFor(question: Question, model: TrainedModel): Float32Array {
  const { points, order } = model.preparation as Extract<Preparation, { kind: 'points' }>
  if (!('file' in question)) throw wrongKind(model, 'texts' in question ? 'no text' : 'no picture')
  const { file, name } = question
  if (!/\.(off|xyz)$/i.test(name)) throw new MixlabError('data', name, 'neither an .off nor an .xyz file')
  const cloud = decodeCloud(file, name, points, keyOf(0, 'points'))
  sortPoints(cloud, order as PointOrder)
  return cloud
}

/** Logits, flat; disposes what the model read. Throws MixlabError `numerics` where they are not numbers. */
export async function logitsFor(trained: TrainedModel, batch: ModelBatch): Promise<Float32Array> {
  const { values, choices } = await logitsOf(trained, batch)
  await checkFinite(values, choices, trained)
  return values
}

/** The same, whatever they are, and how many each place has. */
async function logitsOf(trained: TrainedModel, batch: ModelBatch): Promise<Logits> {
  const { input, ...extras } = batch
  const logits = tf.tidy(() => trained.model.apply(input, {}, extras))
  try {
    return { values: (await logits.data()) as Float32Array, choices: logits.shape.at(-1) as number }
  } finally {
    tf.dispose([logits, ...Object.values(batch)])
  }
}
