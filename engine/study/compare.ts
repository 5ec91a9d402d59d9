import { z } from 'zod'
import { MixlabError, quoted } from '../errors.ts'
import { isMetric, type Metric } from '../evaluate/index.ts'
import { byName } from '../names.ts'
import { isBlock } from '../nn/block.ts'
import { type ModelOptions, modelSchema } from '../nn/size.ts'
import type { Block } from '../nn/types.ts'
import { copyOf, parseOptions } from '../options.ts'
import { isReadout, type Readout } from '../readouts/readout.ts'
import type { FactorValues } from '../records/design.ts'
import type { AskedQuestion } from '../records/question.ts'
import type { TunedDesign } from '../records/tuned.ts'
import { resolveTask, type TaskSpec } from '../tasks/index.ts'
import { type RecipeOptions, recipeSchema } from '../train/recipe.ts'
import type { lostOrder } from './design/order.ts'
import { isQuestion } from './questions/index.ts'
import { isWeightsFile, type WeightsFile } from './start/weightsFile.ts'
import { isWeightsOf, type Start, type WeightsOf } from './start/weightsOf.ts'
import { type AnytimeSeeds, checkSeedsUpTo, isAnytime, isUpTo } from './statistics/sequentialTest.ts'
import { isTune, type Tune } from './tuning/tune.ts'

/** What a variant sets itself: each part overrides the part of the study. */
export interface VariantParts {
  block?: Block
  model?: ModelOptions
  train?: RecipeOptions
  task?: TaskSpec
  from?: Start<Study>
  /** The values that `factors` made it of. */
  factors?: FactorValues
  [lostOrder]?: MixlabError | undefined
}

/** A variant of a study: a block, or several parts. */
export type Variant = Block | VariantParts

/** What a user gives to `compare`: the config of a study. */
export interface StudySpec {
  task: TaskSpec
  /** Sizes that all variants share. */
  model?: ModelOptions
  /** The block of the variants that have none of their own. */
  block?: Block
  /** By name: blocks, or parts that are laid over those of the study. The first is the baseline; none is a whole number. */
  variants: Record<string, Variant>
  train?: RecipeOptions
  /**
   * How many seeds (1, 2, ...), or which ones; or `{ upTo: 24 }`: seed after seed until all is decided, by evidence that may
   * be looked at whenever one likes, at most so many.
   */
  seeds?: number | number[] | AnytimeSeeds
  /**
   * Starts from what another study has learned: each run from its run with the same variant and seed, which is trained
   * first where it is missing. Only heads may differ, and of text the tokenizer is the same; `weightsOf(study, …)` says what else may. Or from
   * `weights({ path })`.
   */
  from?: Start<Study>
  /** Metrics defined by `metric()`, measured beside those of the task. */
  metrics?: Metric[]
  /** What is read off trained models, defined by `readout()`; shown as `readout/<name>`. */
  readouts?: Readout[]
  /**
   * The metric by which variants are compared, e.g. `test/loss`; the task says, if left out. The same on `validation` chooses
   * the best weights. `loss` alone is `test/loss`, and so is `eval/loss`, as it was called before.
   */
  metric?: string
  /**
   * What the study asks, e.g. `[ask.effect('block'), ask.interaction('block', 'lr')]`, in the order in which it is tested:
   * what comes after a question that stays open is exploratory. Without, a study with `factors` asks for each effect and
   * each interaction of two, and any other for each variant against the first.
   */
  questions?: AskedQuestion[]
  /** `holm`: all questions are tested together, with Holm's correction, instead of in their order. */
  correction?: 'holm'
  /**
   * The names of the studies that were planned with this one, itself among them: anything false is then claimed in at most
   * 5% of such lists, where each study by itself claims in 5%.
   */
  together?: string[]
  /**
   * The largest difference that does not count, in the unit of the metric, e.g. 0.01 of an accuracy: 1 point. Then the study
   * may show, too, that variants are equal within it, or one not worse by more than it.
   */
  margin?: number
  /**
   * The value of the metric from which on a run has learned, e.g. 0.8 of an accuracy. Without, it follows from chance and from
   * what the compared runs reach (docs/statistics.md). A run that diverged has never learned.
   */
  learned?: number
  /** Values made by `tuned`, of which each variant gets its best on validation before the study is trained. */
  tune?: Tune
  /** What the quick mode changes, on top of what it always does; see quick.ts. */
  quick?: QuickSpec
}

export interface QuickSpec {
  task?: TaskSpec
  model?: ModelOptions
  train?: RecipeOptions
  seeds?: number | number[]
}

/** A study, such as an ablation: several variants, several seeds, and what all variants share. */
export interface Study {
  readonly kind: 'study'
  readonly name: string
  readonly spec: StudySpec
  /** What was chosen for its variants, and the study before that. */
  readonly tuned?: { readonly design: TunedDesign; readonly before: StudySpec }
}

const task = z.custom<TaskSpec>(
  (value) => (value as TaskSpec | undefined)?.kind === 'task',
  'a task, e.g. image({ data })',
)
const blockSchema = z.custom<Block>(isBlock, 'a block, e.g. gmlp or gmlp({ depth: 4 })')
const metricSchema = z.custom<Metric>(isMetric, "a metric, made by metric('name', { better }, () => ({ add, value }))")
const readoutSchema = z.custom<Readout>(
  isReadout,
  "a read-out, made by readout('name', { better }, ({ weights }) => number)",
)
const question = z.custom<AskedQuestion>(isQuestion, "a question, e.g. ask.effect('block')")
const tune = z.custom<Tune>(
  isTune,
  'values to choose from, e.g. tuned({ lr: [1e-3, 3e-3] }, ({ lr }) => ({ train: … }))',
)
/** More variants than a page can show. */
const MAX_VARIANTS = 1000
const MAX_SEEDS = 1000
const MAX_NAME_LENGTH = 200 // characters

const seedsOnce = z
  .array(z.int().min(0))
  .min(1)
  .max(MAX_SEEDS)
  .refine((seeds) => new Set(seeds).size === seeds.length, 'each seed once')

/** What may stand under `seeds:`. A seed that is given twice would count as two. */
export const seedsSchema = z.union([z.int().min(1).max(MAX_SEEDS), seedsOnce], {
  error: `a whole number from 1 to ${MAX_SEEDS}, or a list of as many`,
})
const marginSchema = z.custom<number>(
  (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  'a number above 0, in the unit of the metric',
)
/** The same, or the last seed up to which a study is looked at. */
const lookedSchema = z.union([seedsSchema, z.custom<AnytimeSeeds>((value) => isUpTo(value, MAX_SEEDS))], {
  error: `a whole number from 1 to ${MAX_SEEDS}, a list of as many, or { upTo: 24 }`,
})
const studySchema = z.custom<Study>(isStudy, 'a study, made by compare()')
const fromSchema = z.union(
  [studySchema, z.custom<WeightsOf<Study>>(isWeightsOf), z.custom<WeightsFile>(isWeightsFile)],
  {
    error: 'a study, made by compare(), weightsOf(study, …), or weights({ path })',
  },
)
const common = { model: modelSchema.optional(), train: recipeSchema.optional(), seeds: seedsSchema.optional() }

const variantSchema = z.strictObject({
  block: blockSchema.optional(),
  model: modelSchema.optional(),
  train: recipeSchema.optional(),
  task: task.optional(),
  from: fromSchema.optional(),
  factors: byName(z.union([z.string(), z.number(), z.boolean()])).optional(),
})

const schema = z.strictObject({
  ...common,
  seeds: lookedSchema.optional(),
  task,
  block: blockSchema.optional(),
  variants: byName(z.unknown()), // each is checked by itself, for a path of its own
  from: fromSchema.optional(),
  metrics: z.array(metricSchema).optional(),
  readouts: z.array(readoutSchema).optional(),
  metric: z.string().optional(),
  questions: z.array(question).min(1).optional(),
  correction: z.literal('holm').optional(),
  together: z.array(z.string()).min(2).optional(),
  margin: marginSchema.optional(),
  learned: z.number().optional(),
  tune: tune.optional(),
  quick: z.strictObject({ ...common, task: task.optional() }).optional(),
})

/** Defines a study. Nothing is trained before the study runs. Throws MixlabError `option` for anything not allowed. */
export function compare(name: string, spec: StudySpec): Study {
  if (typeof name !== 'string' || !name) throw new MixlabError('option', 'compare', 'expected a name as first argument')
  checkName(name, 'compare')
  parseOptions(schema, spec, name)
  const variants = Object.keys(spec.variants)
  if (variants.length === 0) throw new MixlabError('option', `${name}.variants`, 'empty, expected at least one block')
  if (variants.length > MAX_VARIANTS) {
    throw new MixlabError('option', `${name}.variants`, `${variants.length}, expected at most ${MAX_VARIANTS}`)
  }
  for (const variant of variants) checkName(variant, `${name}.variants`)
  for (const [variant, given] of Object.entries(spec.variants)) checkVariant(given, spec, `${name}.variants.${variant}`)
  for (const list of ['metrics', 'readouts'] as const) {
    const names = spec[list]?.map((each) => each.name) ?? []
    const twice = names.find((each, place) => names.indexOf(each) < place)
    if (twice) throw new MixlabError('option', `${name}.${list}`, `'${twice}' stands there twice`)
  }
  if (spec.together) checkTogether(name, spec.together)
  if (isAnytime(spec.seeds)) checkSeedsUpTo(spec.seeds, `${name}.seeds`)
  if (isAnytime(spec.seeds) && spec.margin !== undefined) {
    throw new MixlabError(
      'option',
      `${name}.margin`,
      'is tested over seeds that are fixed before; give a number of seeds',
    )
  }
  resolveTask(spec.task)
  if (spec.tune) checkTune(name, spec, spec.tune)
  return { kind: 'study', name, spec: ownSpec(spec) }
}

/** A copy that stays as it is whatever code does with what it gave; what has an identity, such as blocks, is the same. */
function ownSpec(spec: StudySpec): StudySpec {
  const copied = ({ model, train, task, ...others }: VariantParts) =>
    Object.freeze({
      ...others,
      ...(model && { model: Object.freeze(copyOf(model)) }),
      ...(train && { train: Object.freeze(copyOf(train)) }),
      ...(task && { task: Object.freeze({ ...task, options: copyOf(task.options) }) }),
    })
  const variants = Object.entries(spec.variants).map(([name, given]) => [name, isBlock(given) ? given : copied(given)])
  const lists = Object.entries(spec).flatMap(([name, given]) =>
    Array.isArray(given) ? [[name, Object.freeze([...given])]] : [],
  )
  return Object.freeze({
    ...copied(spec),
    ...Object.fromEntries(lists),
    ...(spec.quick && { quick: copied(spec.quick) }),
    variants: Object.freeze(Object.fromEntries(variants)),
  }) as StudySpec
}

function checkTogether(name: string, together: readonly string[]): void {
  const fail = (what: string) => new MixlabError('option', `${name}.together`, what)
  const twice = together.find((each, place) => together.indexOf(each) < place)
  if (twice !== undefined) throw fail(`'${twice}' stands there twice`)
  if (!together.includes(name)) throw fail(`${together.join(', ')}; expected '${name}' itself among them`)
}

/** What is tuned and where it starts are chosen apart: no run of another study has the seeds of tuning. */
function checkTune(name: string, { variants, from }: StudySpec, { tried }: Tune): void {
  const all = [from, ...Object.values(variants).map((each) => (isBlock(each) ? undefined : each.from))]
  if (all.some((each) => each !== undefined))
    throw new MixlabError(
      'option',
      `${name}.tune`,
      "what is tuned starts from nothing; leave out 'from', or write the values",
    )
  const count = Object.keys(variants).length * tried.length
  if (count <= MAX_VARIANTS) return
  throw new MixlabError('option', `${name}.tune`, `${count} variants with a value, expected at most ${MAX_VARIANTS}`)
}

function checkName(name: string, path: string): void {
  if (name && name.length <= MAX_NAME_LENGTH) return
  const what = `${quoted(name)} has ${name.length} characters, expected 1 to ${MAX_NAME_LENGTH}`
  throw new MixlabError('option', path, what)
}

function checkVariant(given: unknown, spec: StudySpec, path: string): void {
  if (isBlock(given)) return
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new MixlabError(
      'option',
      path,
      'expected a block, e.g. gmlp({ depth: 4 }), or { block, model, train, task, from }',
    )
  }
  parseOptions(variantSchema, given, path)
  const { block, task }: VariantParts = given
  if (!block && !spec.block) throw new MixlabError('option', path, 'has no block, and neither has the study')
  if (task) resolveTask(task)
}

export function isStudy(value: unknown): value is Study {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'study'
}
