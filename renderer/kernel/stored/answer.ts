import { add, dispose, mul, tidy } from '@tensorflow/tfjs'
import type { FileSource } from '../../../engine/data/files.ts'
import { decodeImage } from '../../../engine/data/images/decode.ts'
import type { Image } from '../../../engine/data/images/resize.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { Modules } from '../../../engine/notebook/modules.ts'
import { ask } from '../../../engine/predict/ask.ts'
import { dataFor } from '../../../engine/predict/dataFor.ts'
import { drawingStyleOf, renderDrawing, type Strokes } from '../../../engine/predict/drawing.ts'
import { type EvaluatedOn, evaluateOn } from '../../../engine/predict/evaluateOn.ts'
import { generate } from '../../../engine/predict/generate.ts'
import { preprocess } from '../../../engine/predict/pictures.ts'
import { trainedOf } from '../../../engine/predict/trained.ts'
import { VALIDATION } from '../../../engine/records/splits.ts'
import { type Rebuilt, rebuild } from '../../../engine/study/recreate/rebuild.ts'
import type { Task } from '../../../engine/tasks/types.ts'
import type { AnswerRequest, MeasureRequest, SentAnswer } from '../../protocol/kernel.ts'
import { imagesBody } from '../imagesBody.ts'
import { yieldToEvents } from '../yieldToEvents.ts'

/** How many classes, or tokens, an answer lists. */
const TOP = 5

/** How many pictures show how those of a data set are drawn. */
const LOOKED_AT = 64

/** What a stored run says; throws as `rebuild` and `ask`. */
export async function answerOf(
  { question, ...request }: AnswerRequest,
  files: FileSource,
  modules: Modules,
): Promise<SentAnswer> {
  return withModel(request, files, modules, async (model, rebuilt) => {
    const { preparation } = model
    if ('write' in question) {
      return { answers: [], seen: null, written: await generate(model, question.write, yieldToEvents) }
    }
    if ('texts' in question || (preparation.kind !== 'image' && 'file' in question)) {
      return { answers: await ask(model, question, TOP), seen: null }
    }
    const picture =
      'file' in question ? decodeImage(question.file, question.name) : await drawn(question.strokes, rebuilt)
    const seen = preparation.kind === 'image' ? preprocess(picture, preparation) : picture
    const { height, width, channels, pixels } = seen
    const shown = imagesBody({ shape: [height, width, channels] }, pixels)
    return { answers: await ask(model, { picture: seen }, TOP), seen: shown }
  })
}

/** The metrics of a stored run on another data set; throws as `rebuild`, `dataFor` and `evaluateOn`. */
export async function measureOn(
  { data, ...request }: MeasureRequest,
  files: FileSource,
  modules: Modules,
): Promise<EvaluatedOn> {
  return withModel(request, files, modules, async (model) =>
    evaluateOn(model, { data: await dataFor(data, model, files, 'data set') }, files, yieldToEvents),
  )
}

/** Makes the model of a stored run for what is done with it. */
async function withModel<Result>(
  { run, weights }: Pick<AnswerRequest, 'run' | 'weights'>,
  files: FileSource,
  modules: Modules,
  use: (model: ReturnType<typeof trainedOf>, rebuilt: Rebuilt) => Promise<Result>,
): Promise<Result> {
  const rebuilt = await rebuild(run, weights, files, modules)
  const model = trainedOf(run, rebuilt)
  try {
    return await use(model, rebuilt)
  } finally {
    model.dispose()
  }
}

/** What was drawn, as a picture like those of the task. */
async function drawn(strokes: Strokes, { task }: Rebuilt): Promise<Image> {
  const shape = task.input.shape.slice(1) as [number, number, number]
  return renderDrawing(drawingStyleOf(await pixelsOf(task), shape), strokes, shape)
}

/** Validation pictures, `[count, height, width, channels]` from 0 to 1. */
async function pixelsOf({ evalBatches, preparation }: Task): Promise<Float32Array> {
  if (preparation?.kind !== 'image') throw new MixlabError('option', 'drawing', 'the run reads no pictures')
  const { mean, deviation } = preparation
  for await (const batch of evalBatches(VALIDATION, LOOKED_AT, LOOKED_AT)) {
    const pixels = tidy(() => add(mul(batch.input, deviation), mean))
    try {
      return (await pixels.data()) as Float32Array
    } finally {
      dispose([pixels, batch])
    }
  }
  return new Float32Array()
}
