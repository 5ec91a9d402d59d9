import type { FileSource } from '../../../engine/data/files.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { type AblatedMetric, ablateOn } from '../../../engine/explain/ablation.ts'
import { explain } from '../../../engine/explain/explain.ts'
import type { Modules } from '../../../engine/notebook/modules.ts'
import { dataFor } from '../../../engine/predict/dataFor.ts'
import { drawingStyleIn } from '../../../engine/predict/drawingStyle.ts'
import { type EvaluatedOn, evaluateOn } from '../../../engine/predict/evaluateOn.ts'
import { questionOf, type Said, say, sayToExample } from '../../../engine/predict/said.ts'
import { trainedOf } from '../../../engine/predict/trained.ts'
import { validationExample } from '../../../engine/predict/validationExample.ts'
import { type Rebuilt, rebuild } from '../../../engine/study/recreate/rebuild.ts'
import type { AnswerRequest, MeasureRequest, SentExplanation } from '../../protocol/kernel.ts'
import { yieldToEvents } from '../yieldToEvents.ts'

/** How many classes, or tokens, an answer lists. */
const TOP = 5

/** Validation examples on which a model is measured without each of its parts. */
const ABLATED_EXAMPLES = 512

/** What a stored run says; throws as `rebuild` and `say`. */
export async function answerOf(
  { question, ...request }: AnswerRequest,
  files: FileSource,
  modules: Modules,
): Promise<Said> {
  return withModel(request, files, modules, async (model, { task }) => {
    if ('example' in question) return sayToExample(model, await validationExample(task, question.example), TOP)
    const drawing = 'strokes' in question ? await drawingStyleIn(task) : null
    return say(model, question, { top: TOP, drawing, pause: yieldToEvents })
  })
}

/** Why a stored run says so; throws as `answerOf` and `explain`. */
export async function explanationOf(
  { question, ...request }: AnswerRequest,
  files: FileSource,
  modules: Modules,
): Promise<SentExplanation> {
  return withModel(request, files, modules, async (model, { task }) => {
    if ('write' in question) throw new MixlabError('option', model.source, 'writes texts, which are not explained')
    const drawing = 'strokes' in question ? await drawingStyleIn(task) : null
    const asked =
      'example' in question
        ? (await validationExample(task, question.example)).question
        : questionOf(model, question, drawing)
    const { drops, mixing, gradient, ...plain } = await explain(model, asked, null, yieldToEvents)
    return {
      ...plain,
      drops: Array.from(drops),
      mixing: mixing.map(({ values, ...each }) => ({ ...each, values: bytesOf(values) })),
      gradient: gradient && { ...gradient, values: bytesOf(gradient.values) },
    }
  })
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => new Uint8Array(buffer, byteOffset, byteLength)

/** The metric of a stored run without each part of its model, on some validation examples; throws as `rebuild` and `ablateOn`. */
export async function ablationOf(
  request: Pick<AnswerRequest, 'run' | 'weights'>,
  files: FileSource,
  modules: Modules,
): Promise<AblatedMetric> {
  return withModel(request, files, modules, (model, { task }) =>
    ablateOn(model.model, task, ABLATED_EXAMPLES, yieldToEvents),
  )
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
