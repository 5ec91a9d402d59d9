import { decodeImage } from '../data/images/decode.ts'
import { imagePart, maskPart, pointsPart, seriesPart } from '../datacard/parts.ts'
import type { SamplePart } from '../datacard/schema.ts'
import { MixlabError } from '../errors.ts'
import type { Answer } from './answer.ts'
import { ask, cloudFor, type Question, stepsFor } from './ask.ts'
import { type DrawingStyle, renderDrawing, type Strokes } from './drawing.ts'
import { type Generated, type GenerateOptions, generate } from './generate.ts'
import { preprocess } from './pictures.ts'
import type { TrainedModel } from './trained.ts'
import type { Truth, ValidationExample } from './validationExample.ts'

/** What one tries on a model by hand: a file, what was drawn, one or two texts, or a text to go on with. */
export type Trial =
  | { file: Uint8Array; name: string }
  | { strokes: Strokes }
  | { texts: string[] }
  | { write: GenerateOptions }

/** What a model says to a trial, and what is drawn beside it. */
export interface Said {
  answers: Answer[]
  /** What the model saw, what it says and what is right, as far as these are drawn. */
  parts: { name: string; part: SamplePart }[]
  /** The texts of an example that it was asked about. */
  texts?: string[]
  /** A text that it has written. */
  written?: Generated
}

export interface TrialOptions {
  /** How many classes, or tokens, an answer lists. */
  top: number
  /** How the pictures of its data are drawn; of a model that reads no pictures null. */
  drawing: DrawingStyle | null
  /** Awaited between tokens that are written; may throw. */
  pause?(): Promise<void>
}

/** What a model says to something that one tries. Throws as `ask` and `generate`. */
export async function say(model: TrainedModel, trial: Trial, options: TrialOptions): Promise<Said> {
  if ('write' in trial) return { answers: [], parts: [], written: await generate(model, trial.write, options.pause) }
  return saidTo(model, questionOf(model, trial, options.drawing), null, options.top)
}

/** What a model is asked by a trial: pictures as it sees them. Throws MixlabError `data`, and `option` for a drawing that it cannot read. */
export function questionOf(
  { preparation, source }: TrainedModel,
  trial: Exclude<Trial, { write: GenerateOptions }>,
  drawing: DrawingStyle | null,
): Question {
  if ('texts' in trial || (preparation.kind !== 'image' && 'file' in trial)) return trial
  if (preparation.kind !== 'image' || (!drawing && 'strokes' in trial)) {
    throw new MixlabError('option', source, 'reads no drawings')
  }
  const shape = [...preparation.size, preparation.channels] as const
  const picture =
    'file' in trial ? decodeImage(trial.file, trial.name) : renderDrawing(drawing as DrawingStyle, trial.strokes, shape)
  return { picture: preprocess(picture, preparation) }
}

/** What a model says to a validation example, beside what is right. Throws as `ask`. */
export async function sayToExample(
  model: TrainedModel,
  { question, truth }: ValidationExample,
  top: number,
): Promise<Said> {
  const said = await saidTo(model, question, truth, top)
  return 'texts' in question ? { ...said, texts: question.texts } : said
}

async function saidTo(model: TrainedModel, question: Question, truth: Truth | null, top: number): Promise<Said> {
  const answers = await ask(model, question, top)
  const [{ mask, forecast } = {} as Partial<Answer>] = answers
  const parts: Said['parts'] = []
  const add = (name: string, part: SamplePart) => parts.push({ name, part })
  if ('picture' in question) {
    const { pixels, height, width, channels } = question.picture
    const shares = Float32Array.from(pixels, (value) => value / 255)
    add('as the model sees it', imagePart(shares, [height, width, channels]))
  }
  if (model.preparation.kind === 'points') add('as the model sees it', pointsPart(cloudFor(question, model)))
  if (mask) add('what it says', maskPart(mask.pixels, [mask.height, mask.width], mask.classes))
  if (forecast) {
    const { steps: before } = stepsFor(question, model)
    const channels = forecast[0]?.length ?? 1
    const series = (after: number[][]) => seriesPart([...before, ...after].flat(), channels, before.length)
    add('what it forecasts', series(forecast))
    if (truth && 'after' in truth) add('what came', series(truth.after))
  }
  if (truth && 'name' in truth) add('what it is', { type: 'class', shares: [{ name: truth.name, share: 1 }] })
  if (truth && 'mask' in truth) {
    const { pixels, height, width, classes } = truth.mask
    add('what it is', maskPart(pixels, [height, width], classes))
  }
  return { answers, parts }
}
