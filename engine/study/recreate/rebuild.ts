import type { FileSource } from '../../data/files.ts'
import { MixlabError } from '../../errors.ts'
import * as models from '../../models/index.ts'
import { isBlock } from '../../nn/block.ts'
import { createModel, type Model } from '../../nn/model.ts'
import { resolveSize, type SizeOfParts } from '../../nn/size.ts'
import type { Block, Parts, Size } from '../../nn/types.ts'
import { createScope, type NotebookScope } from '../../notebook/evaluate.ts'
import { analyze } from '../../notebook/graph.ts'
import type { Modules } from '../../notebook/modules.ts'
import { parseNotebook } from '../../notebook/parse.ts'
import type { StoredRunDetails } from '../../records/run.ts'
import { taskKind } from '../../tasks/index.ts'
import type { Task } from '../../tasks/types.ts'
import { loadWeights } from '../../weights/model.ts'
import { readSafetensors } from '../../weights/safetensors.ts'
import type { Study } from '../compare.ts'
import { only } from '../only.ts'
import { openStudy } from '../open.ts'
import { studiesIn } from '../studies.ts'
import { everyRun } from '../tuning/grid.ts'
import { tuningName } from '../tuning/names.ts'
import { type RecordedPart, type RecordedSpec, recordedSpec } from './recorded.ts'
import { recreateNotebook } from './recreate.ts'

/** The model of a stored run, what it is made of, and its task with the data open. */
export interface Rebuilt {
  model: Model
  block: Block
  size: Size
  task: Task
  /** Disposes the model, and what the cells left that it was made of. */
  dispose(): void
}

/** Whether a run cannot be made again without evaluating the cells that it was made of. */
export function needsCells({ id, spec }: Pick<StoredRunDetails, 'id' | 'spec'>): boolean {
  const { model, definitions } = recordedSpec(spec, `run ${id}`)
  return model.code !== 'built in' || definitions?.task !== undefined || definitions?.data !== undefined
}

/**
 * The model of a stored run with such weights. A built-in block needs the recorded spec alone; a block of a cell is made
 * by evaluating the cells of the run, which may import `modules`, as any is with `cells`, and then its task has the metrics
 * of cells, too: nothing else makes or trains tensors meanwhile. Throws what `replan` throws, and MixlabError `weights` where they do not fit, or `store` where their tokenizer is another.
 */
export async function rebuild(
  run: StoredRunDetails,
  weights: Uint8Array,
  files: FileSource,
  modules: Modules,
  cells = needsCells(run),
): Promise<Rebuilt> {
  const spec = recordedSpec(run.spec, `run ${run.id}`)
  const { block, size, task, forget } = await planOf(run, files, modules, cells)
  let model: Model | null = null
  const dispose = () => {
    model?.dispose()
    forget()
  }
  try {
    checkTokenizer(run, weights, task)
    model = createModel(task.model(block, size), task.input, spec.seed)
    loadWeights(model.parameters, weights)
    return { model, block, size, task, dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

/** What the model of a stored run is made of, with the data of its task open. Throws as `rebuild`. */
export async function planOf(
  run: StoredRunDetails,
  files: FileSource,
  modules: Modules,
  cells = needsCells(run),
): Promise<ModelPlan> {
  return cells ? replan(run, files, modules) : builtIn(recordedSpec(run.spec, `run ${run.id}`), files)
}

/** Token ids mean nothing to a model that learned others, even where the shapes fit. */
function checkTokenizer({ id }: Pick<StoredRunDetails, 'id'>, weights: Uint8Array, { files }: Task): void {
  const own = readSafetensors(weights, `run ${id}`).metadata[TOKENIZER]
  if (own === undefined || own === files?.[TOKENIZER]) return
  throw new MixlabError(
    'store',
    `run ${id}`,
    'its tokenizer has learned from other text than the data set trains on now',
  )
}

const TOKENIZER = 'tokenizer.json'

async function builtIn({ model, task }: RecordedSpec, files: FileSource): Promise<ModelPlan> {
  const block = builtInBlock(model)
  const opened = await taskKind(task.task).open(taskKind(task.task).resolve(task.options), files)
  return { block, size: recordedSize(block, model), task: opened, forget: () => {} }
}

/** The block of a spec that is built in. Throws MixlabError `option` where there is none of its name. */
export function builtInBlock({ block: name }: Pick<RecordedSpec['model'], 'block'>): Block {
  const block = Object.values(models).find((value) => isBlock(value) && value.blockName === name)
  if (isBlock(block)) return block
  throw new MixlabError('option', name, 'there is no built-in block of this name')
}

/** All sizes of a block. A recorded spec has only the sizes that existed then and differed from their default. */
export function recordedSize(block: Block, model: RecordedSpec['model']): Size {
  const { block: name, code: _, numerics: __, captured: ___, does: ____, surrogates: _____, parts, ...size } = model
  const whole = { ...resolveSize({ ...block, parts: null, options: {} }, {}, name), ...size }
  return block.parts && parts ? withParts(block.parts, whole, parts) : whole
}

/** A size with those of the parts of a model, of which a spec has what differs from the whole. */
function withParts({ list }: Parts, whole: Size, recorded: readonly RecordedPart[]): SizeOfParts {
  const parts = list.map(({ block }, i): Size => {
    const { block: _, merge: __, parts, ...own } = recorded[i] ?? {}
    const size = { ...whole, ...own }
    return block.parts && parts ? withParts(block.parts, size, parts) : size
  })
  return { ...whole, parts }
}

/** What a model is made of. */
export interface ModelPlan {
  block: Block
  size: Size
  task: Task
  /** Disposes what the cells left that made the block. */
  forget(): void
}

/**
 * What the model of a stored run is made of, from the cells it was made of: they are evaluated in a scope of their own,
 * silently, and plan the run of the same key once more; nothing is trained. Throws what `recreateNotebook`, the cells and
 * the opening of their data throw, and MixlabError `store` where they plan another run.
 */
async function replan(run: StoredRunDetails, files: FileSource, modules: Modules): Promise<ModelPlan> {
  const scope = createScope(modules)
  try {
    for (const study of studiesIn(await valuesOf(recreateNotebook(run), scope)).reverse()) {
      // a run of one of several values that were chosen is one of the tuning, with another seed
      if (study.name !== run.study && study.name !== tuningName(run.study)) continue
      const { planned, variants } = await openStudy(everyRun(partOf(study, run)).study, {}, files)
      const again = planned.find(({ key }) => key === run.key)
      const variant = variants.find(({ name }) => name === again?.variant)
      if (variant) return { block: variant.block, size: variant.size, task: variant.opened, forget: scope.forget }
    }
    throw new MixlabError('store', `run ${run.id}`, 'its cells plan another run now: its data or this program changed')
  } catch (error) {
    scope.forget()
    throw error
  }
}

/** A study with the variant and the seed of a run alone, if it has that variant. */
function partOf(study: Study, { origin, seed }: StoredRunDetails): Study {
  if (!origin || !Object.hasOwn(study.spec.variants, origin.variant)) return study
  return only(study, { variants: [origin.variant], seeds: [seed] })
}

/** What the cells of a notebook define and end in, evaluated silently. Throws what they throw. */
export async function valuesOf(notebook: string, scope: NotebookScope): Promise<unknown[]> {
  const cells = parseNotebook(notebook)
  const facts = analyze(cells)
  const silent = () => {}
  const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
  const found: unknown[] = []
  for (const id of facts.order) {
    const { value, defined } = await scope.evaluate(cells, facts, id, { console, display: silent })
    found.push(value, ...Object.values(defined))
  }
  return found
}
