import * as tf from '@tensorflow/tfjs-core'
import { countMacs } from '../cost/trace.ts'
import { digest } from '../data/digest.ts'
import type { FileSource } from '../data/files.ts'
import { MixlabError } from '../errors.ts'
import { createModel, type Model } from '../nn/model.ts'
import type { Block, Size } from '../nn/types.ts'
import type { Modules } from '../notebook/modules.ts'
import type { ExportRecord } from '../records/exports.ts'
import type { StoredRunDetails } from '../records/run.ts'
import type { ChosenWeights } from '../records/tested.ts'
import { needsCells, type Rebuilt, rebuild } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import type { Task } from '../tasks/types.ts'
import { loadTensors } from '../weights/model.ts'
import { DESCRIPTION, type NamedTensor, readSafetensors } from '../weights/safetensors.ts'
import { withDiagonals, withMatrices } from '../weights/toeplitz.ts'
import { modelCard } from './card.ts'
import { type Description, describe } from './description.ts'
import { foldedForm } from './fold.ts'
import type { FoldedMacs } from './foldable.ts'
import { type FormatName, formats } from './formats/index.ts'
import type { Described, Exported, Snippets, WithTensors, Written } from './formats/types.ts'
import { exportGraph } from './graph/graph.ts'
import { inputsOf } from './graph/record.ts'
import { type TrainingGraph, trainingGraph, trainingWarnings } from './graph/training.ts'
import type { ExportGraph } from './graph/types.ts'
import { measure, TEST_EXAMPLES } from './measure.ts'
import type { ExportProgress } from './progress.ts'
import { type Proof, prove, TOLERANCE } from './prove.ts'
import { proveTraining } from './proveTraining.ts'
import { tokenizerFile } from './tokenizer.ts'
import { fault, type TrainingProof, unjudgedText } from './trainingProof.ts'

export interface ExportOptions {
  format: FormatName
  /** Which weights these are. */
  chosen: ChosenWeights
  /** Of each test the first so many examples on which the model is evaluated; 10,000 by default. */
  examples?: number
  /** The name of the files without their endings. */
  name: string
  /** Fold a ResMLP or RepMLP for inference; see foldable.ts. */
  fold?: boolean
  /** Write Toeplitz matrices out. */
  toeplitz?: boolean
  /** The script of demos, which the build makes; needed for the format `demo` alone. */
  player?: string | undefined
  /** What a demo of a model of a task has beside it, as JSON; likewise. */
  besideOf?(task: Task): Promise<string>
  /** Called as it goes on; may be called often. */
  onProgress?(progress: ExportProgress): void
}

export interface ExportedRun {
  /** By the ending of their names, the ending of the format first. */
  files: Written
  description: Description
  proof: Proof
  /** What a comparison in training found; null for formats that cannot be trained, and models that cannot leave so. */
  training: TrainingProof | null
  /** Null where nothing was folded, or multiply-adds cannot be counted. */
  folding: FoldedMacs | null
  /** Lines of code that use the first file, by language. */
  snippets: Snippets
  /** What the store keeps of it. */
  record: ExportRecord
  /** What the user should know. */
  warnings: string[]
}

/**
 * The model of a stored run with such weights, as the files of a format, and what reading them again gave. A block of a cell
 * is made by evaluating its cells, which may import `modules`; nothing else makes or trains tensors meanwhile. Throws what
 * `rebuild` throws, and MixlabError `weights` where the model cannot be written so, and where what was written says anything
 * else than the model.
 */
export async function exportRun(
  run: StoredRunDetails,
  weights: Uint8Array,
  files: FileSource,
  modules: Modules,
  options: ExportOptions,
): Promise<ExportedRun> {
  const source = `run ${run.id}`
  if (run.status === 'running')
    throw new MixlabError('weights', source, 'is still training; export its model when it has ended')
  const { onProgress = () => {} } = options
  onProgress({ at: 'model' })
  const rebuilt = await measuring(run, (cells) => rebuild(run, weights, files, modules, cells))
  const { model, task, block, size, dispose } = rebuilt
  const models: Model[] = []
  let form: { block: Block; size: Size } = rebuilt
  const filled = (tensors: NamedTensor[]): Model => {
    const made = createModel(task.model(form.block, form.size), task.input, run.seed)
    models.push(made)
    loadTensors(made.parameters, tensors, source)
    return made
  }
  try {
    const folded = options.fold ? foldedForm(recordedSpec(run.spec, source), block, size, source) : null
    if (folded) form = folded
    const stored = readSafetensors(weights, source)
    const own = folded?.tensors(stored.tensors, model.parameters) ?? stored.tensors
    const tensors = options.toeplitz ? withMatrices(own) : own
    const changed = { folded: options.fold === true, toeplitz: tensors.some(({ name }, i) => name !== own[i]?.name) }
    const leaving = folded ? filled(own) : model
    const folding = folded && (await foldedMacs(rebuilt, folded))
    const measured = await measure(leaving, task, run, {
      limit: options.examples ?? TEST_EXAMPLES,
      onBatch: (split, examples) => onProgress({ at: 'tests', split, examples }),
    })
    const description = describe(run, task, options.chosen, measured, changed)
    const inputs = await exampleOf(rebuilt)
    let graph: ExportGraph | TrainingGraph | null = null
    let trainable = null as { model: Model; graph: TrainingGraph } | null
    const exported: Exported = {
      tensors,
      metadata: { ...stored.metadata, [DESCRIPTION]: JSON.stringify(description) },
      graph: async () => {
        const made = await exportGraph(leaving, inputs, tensors, source)
        graph = made
        return made
      },
      training: async () => {
        const made = await trainingGraph(leaving, inputs, tensors, source)
        graph = made
        trainable = { model: leaving, graph: made }
        return made
      },
      demo: async () => ({ player: options.player ?? null, beside: (await options.besideOf?.(task)) ?? '' }),
    }
    const format = formats[options.format]
    onProgress({ at: 'file' })
    const written = await format.write(exported, options.name)
    const first = written[format.ending] as Uint8Array

    const fill: WithTensors = (read) => {
      const model = filled(withDiagonals(read, new Set(own.map(({ name }) => name))))
      return ({ input, ...extras }) => tf.tidy(() => model.apply(input, {}, extras))
    }
    const reader = await format.read(written, fill, options.name)
    const proof = await prove(model, task, reader, (proof) => onProgress({ at: 'proof', proof }))
    if (!(proof.difference <= TOLERANCE)) {
      const by = `by ${proof.difference.toPrecision(2)} on ${proof.examples} examples, expected at most ${TOLERANCE}`
      const what = `a logit of the ${options.format} file differs from that of the model ${by}`
      throw new MixlabError('weights', source, `not written: ${what}; export it in another format`)
    }
    let training: TrainingProof | null = null
    if (trainable?.graph.untrainable === null && format.readTrained) {
      const { model, graph } = trainable
      training = await proveTraining(model, task, run.seed, format.readTrained(written), graph)
      const wrong = fault(training)
      if (wrong !== null) throw new MixlabError('weights', source, `not written: ${wrong}`)
    }
    // a demo is one file, and cuts its texts by what its description says
    const tokenizer = options.format === 'demo' ? undefined : tokenizerOf(rebuilt)
    const file = options.name + format.ending
    const read = inputsIn(graph)
    const snippets = format.snippets(file, read)
    const all: Written = {
      ...written,
      ...(tokenizer ? { '.tokenizer.json': new TextEncoder().encode(tokenizer) } : {}),
    }
    const card = modelCard(description, proof, {
      names: Object.keys(all).map((ending) => options.name + ending),
      purpose: format.purpose,
      inputs: (read.length > 0 ? read : Object.values(inputs)).map(({ name }) => name),
      snippets,
      training,
      folding,
    })
    return {
      files: { ...all, [`${format.ending}.md`]: new TextEncoder().encode(card) },
      description,
      proof,
      training,
      folding,
      snippets,
      record: { format: options.format, sha256: digest(first), weights: options.chosen.which, ...changed, ...proof },
      warnings: [
        ...(tokenizer === null ? ['two of its byte pairs have the same text: there is no tokenizer.json of it'] : []),
        ...(trainable ? trainingWarnings(trainable.graph) : []),
        ...(training ? [unjudgedText(training) ?? []].flat() : []),
      ],
    }
  } finally {
    for (const made of models) made.dispose()
    dispose()
  }
}

/** A run made anew: one with metrics of cells from these, or else, where they cannot be evaluated, without those metrics. */
async function measuring(run: StoredRunDetails, rebuilt: (cells?: boolean) => Promise<Rebuilt>): Promise<Rebuilt> {
  const { metrics } = recordedSpec(run.spec, `run ${run.id}`)
  if (metrics === undefined || needsCells(run)) return rebuilt()
  return rebuilt(true).catch(() => rebuilt())
}

/** What folding changes; null for code that does not run on shapes alone. */
async function foldedMacs(
  { task, block, size }: Rebuilt,
  after: { block: Block; size: Size },
): Promise<FoldedMacs | null> {
  const count = (form: { block: Block; size: Size }) => countMacs(task.model(form.block, form.size), task.input)
  try {
    return { before: await count({ block, size }), after: await count(after) }
  } catch {
    return null
  }
}

/** Shapes and types of what the model reads. */
async function exampleOf({ task }: Rebuilt): Promise<Record<string, Described & { dtype: tf.DataType }>> {
  for await (const batch of task.evalBatches('validation', 1, 1)) {
    const inputs = Object.entries(inputsOf(batch)).map(([name, { shape, dtype }]) => [name, { name, shape, dtype }])
    tf.dispose(Object.values(batch))
    return Object.fromEntries(inputs)
  }
  throw new MixlabError('data', 'validation', 'has no examples')
}

/** What a file of a graph reads, for one example. */
function inputsIn(graph: Pick<ExportGraph, 'inputs'> | null): Described[] {
  return (graph?.inputs ?? []).map((input) => ({ ...input, shape: [1, ...(input.shape.slice(1) as number[])] }))
}

/** tokenizer.json; undefined for a task without texts, null where this kind of tokenizer has none. */
function tokenizerOf({ task }: Rebuilt): string | null | undefined {
  const saved = task.files?.['tokenizer.json']
  const tokens = task.input.shape[1] ?? 1
  return saved === undefined ? undefined : tokenizerFile(saved, tokens)
}
