import { compact } from '../compile/program.ts'
import { countMacs } from '../cost/trace.ts'
import { ownOf } from '../data/augment/index.ts'
import { MixlabError, messageOf } from '../errors.ts'
import { createModel, type Model } from '../nn/model.ts'
import { lineOf, locate, locatedIfInCell } from '../notebook/location.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import type { TrainEvent } from '../records/events.ts'
import type { PlannedRun } from '../records/run.ts'
import type { RunStore } from '../records/store.ts'
import { scaleInitially } from '../train/initialScale.ts'
import { type Training, train } from '../train/train.ts'
import { inDefinitionOf, lossOf, trainingBatch } from './design/checkTask.ts'
import { lookingAhead } from './design/lookingAhead.ts'
import { checkGradients, type GradientCheck } from './gradients/check.ts'
import { whyNotFinite } from './notFinite/why.ts'
import type { OpenStudy, OpenVariant } from './opened.ts'
import { startFromFile } from './start/file.ts'
import { startFromRun } from './start/run.ts'
import { type Teacher, teacherOf } from './teacher.ts'

/** The environment in which a run is trained. */
export interface RunEnvironment extends Pick<Training, 'lane' | 'signal' | 'spawnAugmenter'> {
  runs: Pick<RunStore, 'findDone' | 'readWeights' | 'readState'>
}

/**
 * The events of a run of an open study, which was begun as `id`: it starts from the weights of another run, if any, and
 * resumes from the state that an earlier attempt left, if any. Every error becomes a `failed` event.
 */
export async function* trainRun(
  run: PlannedRun,
  id: number,
  { study, variants }: OpenStudy,
  { runs, lane, signal, spawnAugmenter }: RunEnvironment,
): AsyncGenerator<TrainEvent> {
  let model: Model | null = null
  let failed: Extract<TrainEvent, { type: 'failed' }> | null = null
  let step = 0
  const variant = variants.find(({ name }) => name === run.variant) as OpenVariant
  const { recipe } = variant
  let task = variant.opened
  let teacher: Teacher | null = null
  const state = () => runs.readState(id)
  const best = () => runs.readWeights(id, 'best').catch(() => null) // none before the first evaluation
  const cell = provenanceOf(variant.block.origin)?.cell
  const defined = recipe.optimizer.defined ?? ownOf(recipe)[0]
  const ownCell = cell ?? (defined && (provenanceOf(defined.origin ?? defined) ?? provenanceOf(study))?.cell)
  const located = <T>(error: T) => (ownCell ? locate(error, ownCell) : locatedIfInCell(error)) as T
  const make = () =>
    scaleInitially(createModel(task.model(variant.block, variant.size), task.input, run.seed), recipe.optimizer)
  const start = async (of: Model) =>
    variant.file ? startFromFile(variant.file, of) : await startFromRun(run, of, runs, variant.taken)
  if (variant.refused) {
    yield { type: 'failed', step: 0, message: variant.refused.message, code: true }
    return
  }
  try {
    teacher = await teacherOf(run, variant.teacher?.variants[0], runs)
    if (teacher) task = teacher.teach(task)
    model = make()
    const own = cell || variant.task.defined
    const { refused, unchecked } = own ? await checkOnce(variant, model) : { refused: null, unchecked: [] }
    if (unchecked.length > 0) yield { type: 'warning', step: 0, message: unchecked.join('; '), code: true }
    if (refused) {
      const why = refused.path === '' ? inDefinitionOf(variant.task, refused) : refused
      yield { type: 'failed', step: 0, message: messageOf(why), code: true }
      return
    }
    const ahead = await lookingAheadOnce(variant)
    if (ahead) {
      yield { type: 'failed', step: 0, message: ahead.message, code: true }
      return
    }
    const taken = await start(model)
    const training = { model, task, recipe, seed: run.seed, lane, state, best, signal, spawnAugmenter, locate: located }
    for await (const event of train(training)) {
      if ('step' in event) step = event.step
      if (event.type === 'start') yield { ...event, ...(taken && { taken }), ...(await costOf(variant)) }
      else if (event.type === 'failed') failed = event
      else yield event
    }
    if (failed) {
      model.dispose()
      model = null
      const begin = async () => {
        const begun = make()
        await start(begun)
        return begun
      }
      const why = whyNotFinite({ task, recipe, seed: run.seed, state, signal, make: begin }, failed)
      yield { ...failed, message: await why.catch(() => failed?.message ?? '') } // where it cannot be done again
    }
  } catch (error) {
    const code = step === 0 && isOfCode(error, model === null)
    yield { type: 'failed', step, message: messageOf(located(error)), ...(code && { code }) }
  } finally {
    model?.dispose()
    teacher?.dispose()
    await compact()
  }
}

/** Whether what was thrown, perhaps while the model was `made`, comes of code, not of the machine or of data. */
function isOfCode(error: unknown, made: boolean): boolean {
  const inCell = lineOf(error) !== null
  if (!(error instanceof MixlabError)) return inCell
  return (error.code === 'option' || error.code === 'notebook') && (made || inCell)
}

const checks = new WeakMap<OpenVariant, Promise<GradientCheck>>()

/** What is to be known of the gradients of a variant; checked once for all of its seeds. */
function checkOnce(variant: OpenVariant, model: Model): Promise<GradientCheck> {
  const known = checks.get(variant)
  if (known) return known
  const { input, extras } = variant.opened
  const loss = async () => ({ of: lossOf(variant.opened, model), batch: await trainingBatch(variant) })
  const own = variant.task.defined ? loss() : undefined
  const check = Promise.resolve(own).then((loss) => checkGradients({ model, input, extras, loss }))
  checks.set(variant, check)
  return check
}

const ordered = new WeakMap<OpenVariant, Promise<MixlabError | null>>()

/** Whether a variant looks ahead where its task forbids it; tried once for all of its seeds. */
function lookingAheadOnce(variant: OpenVariant): Promise<MixlabError | null> {
  const known = ordered.get(variant) ?? lookingAhead(variant)
  ordered.set(variant, known)
  return known
}

const costs = new WeakMap<OpenVariant, Promise<{ macs?: number }>>()

/** What a model costs; counted once for all seeds of a variant. */
function costOf(variant: OpenVariant): Promise<{ macs?: number }> {
  const known = costs.get(variant)
  if (known) return known
  const counted = countMacs(variant.opened.model(variant.block, variant.size), variant.opened.input)
  const cost = counted.then(
    (macs) => ({ macs }),
    () => ({}), // code that needs values
  )
  costs.set(variant, cost)
  return cost
}
