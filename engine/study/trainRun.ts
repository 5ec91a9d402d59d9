import { compact } from '../compile/program.ts'
import { countMacs } from '../cost/trace.ts'
import { MixlabError, messageOf } from '../errors.ts'
import { createModel, type Model } from '../nn/model.ts'
import { lineOf, locate } from '../notebook/location.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import type { TrainEvent } from '../records/events.ts'
import type { PlannedRun } from '../records/run.ts'
import type { RunStore } from '../records/store.ts'
import { type Training, train } from '../train/train.ts'
import { whyNotFinite } from './notFinite.ts'
import type { OpenStudy, OpenVariant } from './opened.ts'
import { startFromFile } from './start/file.ts'
import { startFromRun } from './start/run.ts'

/** What training a run needs from around it. */
export interface RunEnvironment extends Pick<Training, 'signal' | 'spawnAugmenter'> {
  runs: Pick<RunStore, 'findDone' | 'readWeights' | 'readState'>
}

/**
 * The events of a run of an open study, which was begun as `id`: it starts from the weights of another run, if any, and
 * goes on from the state that an earlier attempt left, if any. Whatever goes wrong becomes a `failed` event.
 */
export async function* trainRun(
  run: PlannedRun,
  id: number,
  { variants }: OpenStudy,
  { runs, signal, spawnAugmenter }: RunEnvironment,
): AsyncGenerator<TrainEvent> {
  let model: Model | null = null
  let step = 0
  const variant = variants.find(({ name }) => name === run.variant) as OpenVariant
  const { opened: task, recipe } = variant
  const state = () => runs.readState(id)
  const best = () => runs.readWeights(id, 'best').catch(() => null) // none before the first evaluation
  const cell = provenanceOf(variant.block.origin)?.cell
  const located = <T>(error: T) => (cell ? locate(error, cell) : error)
  const make = () => createModel(task.model(variant.block, variant.size), task.input, run.seed)
  const start = async (of: Model) =>
    variant.file ? startFromFile(variant.file, of) : await startFromRun(run, of, runs)
  try {
    model = make()
    const taken = await start(model)
    const training = { model, task, recipe, seed: run.seed, state, best, signal, spawnAugmenter, locate: located }
    for await (const event of train(training)) {
      if ('step' in event) step = event.step
      if (event.type === 'start') yield { ...event, ...(taken && { taken }), ...(await costOf(variant)) }
      else if (event.type === 'failed') {
        model.dispose()
        model = make()
        await start(model)
        const why = whyNotFinite({ model, task, recipe, seed: run.seed }, event)
        yield { ...event, message: await why.catch(() => event.message) } // where nothing can be read at once
      } else yield event
    }
  } catch (error) {
    const code = step === 0 && isOfCode(error, model === null)
    yield { type: 'failed', step, message: messageOf(located(error)), ...(code && { code }) }
  } finally {
    model?.dispose()
    await compact()
  }
}

/** Whether what was thrown, perhaps while the model was `made`, comes of code, not of the machine or of data. */
function isOfCode(error: unknown, made: boolean): boolean {
  const inCell = lineOf(error) !== null
  if (!(error instanceof MixlabError)) return inCell
  return (error.code === 'option' || error.code === 'notebook') && (made || inCell)
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
