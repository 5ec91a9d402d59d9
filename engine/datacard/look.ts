import { valueNamed } from '../data/dataNamed.ts'
import type { FileSource } from '../data/files.ts'
import { MixlabError, suggest } from '../errors.ts'
import { isBlock } from '../nn/block.ts'
import { createScope, type NotebookScope } from '../notebook/evaluate.ts'
import { analyze, dependenciesOf } from '../notebook/graph.ts'
import type { Modules } from '../notebook/modules.ts'
import { parseNotebook } from '../notebook/parse.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { isStudy } from '../study/compare.ts'
import { valuesOf } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import { recreateNotebook } from '../study/recreate/recreate.ts'
import { studiesIn } from '../study/studies.ts'
import { type RecipeOptions, resolveRecipe } from '../train/recipe.ts'
import { namesInCells } from './names.ts'
import { type BatchWanted, type OpenedData, openData, type SamplesWanted } from './open.ts'
import type { DataBody } from './schema.ts'
import { type Subject, subjectNamed, subjectOf } from './subject.ts'

/** Which data are looked at. */
export type DataReference =
  /** A data set as a cell names it, read for a task. */
  | { name: string; task?: string | undefined }
  /** What a run of the store was trained on. */
  | { run: StoredRunDetails }
  /** A study or a data set of a cell, by its name, in the text of a notebook. */
  | { notebook: string; of: string }

/** What is asked of them; what is left out is not made. */
export interface DataWanted {
  card?: true | undefined
  samples?: SamplesWanted | undefined
  /** With a recipe as it is written under `train:`, else that of the run or the study. */
  batch?: (Omit<BatchWanted, 'recipe'> & { recipe?: string | undefined }) | undefined
}

/** Answers one question after the other about data; those of the last reference stay open. */
export type LookAtData = (reference: DataReference, wanted: DataWanted) => Promise<DataBody>

/**
 * Data of this environment. Cells that define them are evaluated silently, in a scope of their own: nothing else may make
 * tensors meanwhile, which `inTurn` sees to.
 */
export function openLook(
  files: FileSource,
  modules: Modules,
  inTurn: <Done>(work: () => Promise<Done>) => Promise<Done>,
): LookAtData {
  let last: { key: string; data: Promise<OpenedData>; scope: NotebookScope | null } | null = null

  function opened(reference: DataReference): Promise<OpenedData> {
    const key = JSON.stringify('run' in reference ? { run: reference.run.key } : reference)
    if (last?.key === key) return last.data
    last?.scope?.forget()
    const scope = 'name' in reference ? null : createScope(modules)
    const data = subjectOfReference(reference, scope, inTurn).then((subject) => openData(subject, files))
    const own = { key, data, scope }
    last = own
    data.catch(() => {
      if (last === own) last = null // the next question tries again
    })
    return data
  }

  return async (reference, { card, samples, batch }) => {
    const data = await opened(reference)
    return {
      type: 'data',
      card: card ? await data.card() : null,
      samples: samples ? await data.samples(samples) : null,
      batch: batch
        ? await data.batch({ ...batch, recipe: batch.recipe ? recipeNamed(batch.recipe) : undefined })
        : null,
    }
  }
}

/** What a card, samples and a batch are of a value that a cell shows; null for a value that says nothing of data. */
export async function bodyOf(value: unknown, files: FileSource): Promise<DataBody | null> {
  const subject = subjectOf(value)
  if (!subject) return null
  const data = await openData(subject, files)
  const isText = TEXTS.includes(subject.task.task)
  const wanted = { seed: 0, count: isText ? 3 : 8 }
  const samples = await data.samples({ ...wanted, from: 0 })
  const batch = isStudy(value) || 'kind' in (value as object) ? await data.batch({ ...wanted, step: 0 }) : null
  return { type: 'data', card: await data.card(), samples, batch }
}

/** Tasks whose examples take several lines. */
const TEXTS = ['sequence', 'pair', 'span', 'mlm', 'clm']

async function subjectOfReference(
  reference: DataReference,
  scope: NotebookScope | null,
  inTurn: <Done>(work: () => Promise<Done>) => Promise<Done>,
): Promise<Subject> {
  if ('name' in reference) {
    return subjectNamed(reference.name, 'data', reference.task)
  }
  if (!scope) throw new Error('cells need a scope')
  return inTurn(() => ('run' in reference ? ofRun(reference.run, scope) : ofNotebook(reference, scope)))
}

/** A recipe as it is written under `train:`, checked. Throws MixlabError `option`. */
export function recipeNamed(text: string): RecipeOptions {
  const value = valueNamed(text, 'recipe') as RecipeOptions
  resolveRecipe(value)
  return value
}

/** What a run was trained on, with its recipe: from its spec alone, or from its cells where these define some of it. */
async function ofRun(run: StoredRunDetails, scope: NotebookScope): Promise<Subject> {
  const { task, train, definitions } = recordedSpec(run.spec, `run ${run.id}`)
  const { optimizer: _, schedule: __, ...recipe } = train
  if (!definitions) return { ...(subjectOf({ kind: 'task', ...task }) as Subject), recipe }
  for (const study of studiesIn(await valuesOf(recreateNotebook(run), scope))) {
    if (study.name !== run.study) continue
    const variant = study.spec.variants[run.origin?.variant ?? run.variant]
    const parts = isBlock(variant) ? {} : variant
    const subject = subjectOf(parts?.task ?? study.spec.task)
    if (subject) return { ...subject, recipe: { ...study.spec.train, ...parts?.train } }
  }
  throw new MixlabError('store', `run ${run.id}`, 'its cells define another study now')
}

/** What a study or a data set of a notebook is: of its cells those that name it run, and what they depend on. */
async function ofNotebook({ notebook, of }: { notebook: string; of: string }, scope: NotebookScope): Promise<Subject> {
  const cells = parseNotebook(notebook)
  const facts = analyze(cells)
  const named = cells.filter(
    ({ kind, source }) => kind === 'code' && [`'${of}'`, `"${of}"`].some((each) => source.includes(each)),
  )
  const needed = new Set(named.flatMap(({ id }) => [id, ...dependenciesOf(facts, id)]))
  const silent = () => {}
  const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
  const found = new Map<string, unknown>()
  for (const id of facts.order.filter((each) => needed.has(each))) {
    const { value, defined } = await scope.evaluate(cells, facts, id, { console, display: silent })
    for (const each of [value, ...Object.values(defined)]) {
      if (isStudy(each)) found.set(each.name, each)
      else if (subjectName(each)) found.set(subjectName(each), each)
    }
  }
  const subject = subjectOf(found.get(of))
  if (subject) return subject
  throw new MixlabError('notebook', of, `no study or data set of this name${suggest(of, namesInCells(cells))}`)
}

/** The name of a data set; '' for any other value. */
function subjectName(value: unknown): string {
  const { dataset } = (value ?? {}) as { dataset?: unknown }
  return typeof dataset === 'string' ? dataset : ''
}
