import { type FileSource, type Watch, watchedFiles } from '../data/files.ts'
import { ownDataIn } from '../data/spec.ts'
import { withinDefinition } from '../definitions.ts'
import { MixlabError } from '../errors.ts'
import { givenBy } from '../notebook/provenance.ts'
import { asksNothing, type DesignedRun, type StudyDesign, type VariantDesign } from '../records/design.ts'
import type { RunOrigin } from '../records/origin.ts'
import type { PlannedRun } from '../records/run.ts'
import { selectionMetric } from '../records/splits.ts'
import { kindOf, type TaskSpec } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import { isStudy, type Study, type Variant } from './compare.ts'
import { checkAugmentations } from './design/checkAugmentations.ts'
import { chanceIn, checkMetricValues } from './design/checkMargin.ts'
import { checkTask, inDefinitionOf } from './design/checkTask.ts'
import { checkVariantOrder } from './design/order.ts'
import {
  checkOnly,
  type ResolvedStudy,
  type ResolvedVariant,
  resolveStudy,
  type StudyOptions,
} from './design/resolve.ts'
import { settingsOf } from './design/settings.ts'
import { intendedBy, partsOf } from './design/variant.ts'
import { type KeyedSpec, trainedKeyOf } from './key.ts'
import { withStudyMetrics } from './metrics.ts'
import type { OpenStudy, OpenVariant } from './opened.ts'
import { planRuns } from './plan.ts'
import { askedOf } from './questions/asked.ts'
import { ask } from './questions/index.ts'
import { lookedQuestions } from './questions/looked.ts'
import { questionsOf } from './questions/questionsOf.ts'
import { withReadouts } from './readouts/atEvaluations.ts'
import { comparedReadout, readoutsAtEnd, type StudyReadout } from './readouts/study.ts'
import { fitFile, type OpenFile, openFile } from './start/file.ts'
import { checkFit } from './start/fit.ts'
import { type Parts, partsFor, readsFresh } from './start/parts.ts'
import { isWeightsFile } from './start/weightsFile.ts'
import { isWeightsOf, startingStudy, takingOf } from './start/weightsOf.ts'
import { teachingVariant, withBlankTeacher } from './teacher.ts'
import { askedVariants, trainedNames } from './tuning/kept.ts'

/**
 * Opens the data of a study and plans its runs; before that the studies that it starts from, with the same options. Throws
 * MixlabError for anything wrong with any of them, or where they do not fit.
 */
export async function openStudy(study: Study, options: StudyOptions, files: FileSource): Promise<OpenStudy> {
  const { quick, only } = options
  if (study.spec.tune) {
    const what =
      'its values are chosen when it is trained, so that nothing can start from it or learn from it; write them'
    throw new MixlabError('option', `${study.name}.tune`, what)
  }
  checkOnly(study, only)
  const resolved = resolveStudy(study, options)
  const { part } = resolved
  const seeds = part ? undefined : options.seeds // of a part the whole is planned, too, and all that it starts from
  checkVariantOrder(study.name, resolved.variants)
  const tasks = new Map<string, Promise<Task>>()
  const nameOf = taskNames()
  const befores = new Map<Study, Promise<OpenStudy>>()
  const starts = new Map<string, Promise<OpenFile>>()
  const variants: OpenVariant[] = []
  for (const variant of resolved.variants) {
    const { task, from } = variant
    const taughtBy = task.defined?.teacher
    const teacher = isStudy(taughtBy)
      ? await once(befores, taughtBy, () => openStudy(taughtBy, { quick, seeds }, files))
      : undefined
    const opened = await once(tasks, nameOf(task), async () => {
      const own = await withStudyMetrics(await openTask(task, files), study)
      return teacher ? withBlankTeacher(own, teachingVariant(teacher, own, `task '${task.task}'.teacher`)) : own
    })
    const start = startingStudy(from)
    const before = start ? await once(befores, start, () => openStudy(start, { quick, seeds }, files)) : undefined
    const read = isWeightsFile(from)
      ? await once(starts, JSON.stringify(from), () => openFile(from, files, `${study.name}.from`))
      : null
    const file = read ? await fitFile(read, { ...variant, opened }) : undefined
    variants.push({ ...variant, opened: await withReadouts({ ...variant, opened }, study), before, file, teacher })
  }
  for (const variant of variants)
    if (variant.before) variant.taken = await checkedStart(study.name, variant, variant.before)
  const own = Map.groupBy(variants, ({ task, recipe: { labelSmoothing, mixup, cutmix } }) => {
    return JSON.stringify([nameOf(task), labelSmoothing, mixup, cutmix])
  }).values()
  for (const [first] of own) if (first?.task.defined) await checkTask(first)
  await checkAugmentations(variants)
  const compared = comparedReadout(study) ?? metricOf(study.name, variants)
  const metric = asksNothing(study.spec) ? selectionMetric(compared) : compared
  checkMetricValues(study, metric, variants)
  const all = await planRuns(study, resolved, variants, quick)
  const keys = all.map(({ key }) => key)
  const readouts = await readoutsAtEnd(study, keys)
  if (resolved.anytime && readouts.some((readout) => readout.metric === metric)) {
    const what = `${metric} is read off when all runs are done; looking after every seed needs a metric of the training`
    throw new MixlabError('option', `${study.name}.seeds`, what)
  }
  const before = await Promise.all(befores.values())
  return {
    study,
    name: study.name,
    variants,
    metric,
    all: [...before.flatMap((each) => each.all), ...all],
    planned: all.filter(({ variant, seed }) => (only?.includes(variant) ?? true) && (part?.includes(seed) ?? true)),
    readouts,
    design: designOf(study, resolved, metric, chanceIn(study, metric, variants), all, readouts, variants),
    origin: originOf(study, quick === true),
    before,
  }
}

/** Ends a study whose data were being read when it was stopped. */
export class Stopped extends MixlabError {
  constructor() {
    super('data', 'task.data', 'reading was stopped')
  }
}

/**
 * What `work` does with files, which tell how far they are read. Throws Stopped once the signal is aborted, and what
 * `work` throws.
 */
export async function watching<Value>(
  { files, ...watch }: Watch & { files: FileSource },
  work: (files: FileSource) => Promise<Value>,
): Promise<Value> {
  const watched = watchedFiles(files, watch)
  try {
    return await work(watched.files)
  } catch (error) {
    throw watch.signal?.aborted ? new Stopped() : error
  } finally {
    watched.end()
  }
}

/** Opens the data of a task; an error of code of a cell has its line, and so has later one of its loss. */
async function openTask(task: TaskSpec, files: FileSource): Promise<Task> {
  try {
    const opened = await kindOf(task).open(task.options, files)
    return task.defined ? { ...opened, loss: withinDefinition(task.defined, opened.loss) } : opened
  } catch (error) {
    throw inDefinitionOf(task, error)
  }
}

/** Names tasks so that those of one name are the same: by what they say, and by the definitions of cells in them. */
function taskNames(): (task: TaskSpec) => string {
  const known: object[] = []
  const place = (own: object) => (known.includes(own) ? known.indexOf(own) : known.push(own) - 1)
  return ({ task, options, defined }) =>
    JSON.stringify([task, options, [...(defined ? [defined] : []), ...ownDataIn(options)].map(place)])
}

function once<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

/** What a variant takes of the study that it starts from, where not all of it. Throws MixlabError `option` where they do not fit. */
async function checkedStart(study: string, variant: OpenVariant, before: OpenStudy): Promise<Parts | undefined> {
  const parent = before.variants.find(({ name }) => name === variant.name)
  if (!parent) return undefined // planning the runs says which there are
  const taking = takingOf(variant.from)
  if (!(await readsFresh(variant, taking))) checkSameData(study, variant, before.name, parent)
  if (isWeightsOf(variant.from)) return partsFor(study, variant, before.name, parent, taking)
  await checkFit(study, variant, before.name, parent)
  return undefined
}

/** Throws MixlabError `option` where a variant and the one that it starts from read other kinds of data, or other tokens. */
function checkSameData(study: string, variant: OpenVariant, before: string, parent: OpenVariant): void {
  const [own, other] = [variant, parent].map(({ opened }) => opened.preparation?.kind)
  if (own !== other) {
    const what = `'${before}' learns from ${other ?? 'other'} data, this study from ${own ?? 'other'} data`
    throw new MixlabError('option', `${study}.from`, `${what}, and weights fit only where both read the same`)
  }
  if (tokenizerOf(parent.opened) !== tokenizerOf(variant.opened)) {
    throw new MixlabError(
      'option',
      `${study}.from`,
      `the tokenizer of '${before}' is another; give both tasks the same`,
    )
  }
}

/** The tokenizer of a task about text: what its token ids mean. */
function tokenizerOf({ files }: Task): string | undefined {
  return files?.['tokenizer.json']
}

/** The metric of all variants. Throws MixlabError `option` where there is no such. */
function metricOf(study: string, variants: OpenVariant[]): string {
  const [first, ...others] = variants as [OpenVariant, ...OpenVariant[]]
  const other = others.find(({ opened }) => opened.metric !== first.opened.metric)
  if (!other) return first.opened.metric
  const [a, b] = [first, other].map(({ name, opened }) => `'${name}' by ${opened.metric}`)
  throw new MixlabError('option', `${study}.variants`, `${a} and ${b} cannot be compared; name one metric for both`)
}

function designOf(
  { spec, tuned }: Study,
  { name, variants, anytime }: ResolvedStudy,
  metric: string,
  chance: number | null,
  planned: PlannedRun[],
  readouts: StudyReadout[],
  opened: readonly OpenVariant[],
): StudyDesign {
  // what was chosen for a variant is no question of the study
  const asked = variants.map((each) => (tuned ? { ...each, parts: partsOf(ownOf(tuned, each)) } : each))
  const settings = settingsOf(asked)
  const designed = variants.map(
    ({ name, parts }, place): VariantDesign => ({
      variant: name,
      settings: settings[place] ?? {},
      ...(parts.factors && { crossed: true }),
      intended: intendedBy(parts),
      ...(opened[place]?.arm && { arm: opened[place].arm }),
    }),
  )
  // what decides a comparison leaves another hypothesis of its margin, so that no order of questions can go on from it
  const correction = spec.margin === undefined ? spec.correction : 'holm'
  const several = trainedNames(tuned?.design)
  const first = new Map([...several].map(([variant, [own = '']]) => [own, variant]))
  const known = planned.map((run) => ({ ...run, variant: first.get(run.variant) ?? run.variant }))
  const compared = askedVariants(designed, tuned?.design)
  const found = questionsOf(name, spec.questions, compared, known, correction)
  const all = found ?? (several.size > 0 ? [ask.pairs()] : undefined)
  const questions = anytime && all ? lookedQuestions(all, askedOf(name, compared), spec.questions !== undefined) : all
  return {
    study: name,
    metric,
    variants: designed,
    runs: planned.map(designedRun),
    ...(readouts.length > 0 && { readouts: readouts.map(({ metric, digest }) => ({ metric, digest })) }),
    ...(questions && { questions }),
    ...(correction && (spec.correction || questions) && { correction }),
    ...(spec.together && { together: spec.together }),
    ...(spec.margin !== undefined && { margin: spec.margin }),
    ...(spec.learned !== undefined && { learned: spec.learned }),
    ...(chance !== null && { floors: { chance } }),
    ...(tuned && { tuned: tuned.design }),
    ...(anytime && { anytime }),
  }
}

function designedRun({ variant, seed, key, spec }: PlannedRun): DesignedRun {
  const trained = trainedKeyOf(spec as unknown as KeyedSpec)
  return { variant, seed, key, ...(trained !== key && { trained }) }
}

function ownOf({ before, design }: NonNullable<Study['tuned']>, { name }: ResolvedVariant): Variant {
  const tuned = design.variants.find(({ kept }) => kept?.some(({ variant }) => variant === name))
  return before.variants[tuned?.variant ?? name] as Variant
}

/** The origin of the runs of a study; null where no cell defines it. */
function originOf(study: Study, quick: boolean): Omit<RunOrigin, 'notebook'> | null {
  const provenance = givenBy(study)
  if (!provenance) return null
  const { cell, name, code } = provenance
  return { cell, name, source: code, quick }
}
