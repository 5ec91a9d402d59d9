import { z } from 'zod'
import { MixlabError, suggest } from '../errors.ts'
import { isBlock } from '../nn/block.ts'
import { copyProvenance } from '../notebook/provenance.ts'
import { parseOptions } from '../options.ts'
import type { OwnTask, TaskSpec } from '../tasks/types.ts'
import { isStudy, type Study, type StudySpec, seedsSchema, type Variant } from './compare.ts'
import { quickSpec } from './design/quick.ts'
import { withStudy } from './start/weightsOf.ts'
import { studiesIn } from './studies.ts'
import { studyWith, tuningStudy } from './tuning/grid.ts'
import type { TriedValue, Tune } from './tuning/tune.ts'

/** What `only` leaves of a study, or of several. */
export interface OnlyOptions {
  /** Names of studies; all by default. */
  studies?: string[] | undefined
  /** Names of variants; all by default. */
  variants?: string[] | undefined
  /** How many seeds (1, 2, ...), or which ones; those of the study by default. */
  seeds?: number | number[] | undefined
  /** As the quick mode runs it. */
  quick?: boolean | undefined
  /** Of a study that is tuned, what is chosen, by name, so that nothing is trained to choose it. */
  values?: Record<string, string | number | boolean> | undefined
}

const schema = z.strictObject({
  studies: z.array(z.string()).min(1).optional(),
  variants: z.array(z.string()).min(1).optional(),
  seeds: seedsSchema.optional(),
  quick: z.boolean().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})

/**
 * A part of a study, and of the studies that it starts from, or of several studies, in a list or a plain object. Its runs are
 * runs of the study, with the same keys. Throws MixlabError `option`, also for a study that is not given and a variant that a
 * study does not have.
 */
export function only(study: Study, options: OnlyOptions): Study
export function only(studies: readonly Study[], options: OnlyOptions): Study[]
export function only(studies: Readonly<Record<string, Study>>, options: OnlyOptions): Record<string, Study>
export function only(
  given: Study | readonly Study[] | Readonly<Record<string, Study>>,
  options: OnlyOptions,
): Study | Study[] | Record<string, Study> {
  const asGiven = studiesIn([given])
  if (asGiven.length === 0) {
    throw new MixlabError(
      'option',
      'only',
      'expected a study, made by compare(), or a list of studies, as first argument',
    )
  }
  const path = `only(${asGiven.map(({ name }) => name).join(', ')})`
  const { studies: wanted, variants } = parseOptions(schema, options, path)
  const studies = asGiven.map((study) => namedBy(study, options))
  const names = studies.map(({ name }) => name)
  const other = wanted?.find((name) => !names.includes(name))
  if (other !== undefined) {
    throw new MixlabError('option', 'only.studies', `unknown study '${other}'${suggest(other, names)}`)
  }
  const isWanted = ({ name }: Study) => wanted?.includes(name) ?? true
  for (const study of studies.filter(isWanted)) checkVariants(study, variants)
  if (isStudy(given)) return part(namedBy(given, options), options)
  if (Array.isArray(given))
    return given
      .map((study) => namedBy(study, options))
      .filter(isWanted)
      .map((study) => part(study, options))
  const all = Object.entries(given).map(([name, study]) => [name, namedBy(study, options)] as const)
  const left = all.filter(([, study]) => isWanted(study))
  return Object.fromEntries(left.map(([name, study]) => [name, part(study, options)]))
}

/** A study, with its values where the options have them, or the one that chooses these where that, or a variant of it, is named. */
function namedBy(study: Study, { studies, variants, values }: OnlyOptions): Study {
  if (!study.spec.tune) return study
  if (values) return studyWith(study, () => triedAs(values, study.spec.tune as Tune, study.name))
  const tuning = tuningStudy(study, study.spec.tune)
  const isNamed = studies?.includes(tuning.name) || variants?.some((name) => Object.hasOwn(tuning.spec.variants, name))
  return isNamed ? tuning : study
}

/** What a study tries that has these values. Throws MixlabError `option` where nothing has. */
function triedAs(values: NonNullable<OnlyOptions['values']>, { tried }: Tune, study: string): TriedValue {
  const found = tried.find((each) => {
    const names = Object.keys(each.values)
    return names.length === Object.keys(values).length && names.every((name) => each.values[name] === values[name])
  })
  if (found) return found
  const known = tried.map(({ name }) => name).join('; ')
  throw new MixlabError('option', `only(${study}).values`, `none of those that are tried: ${known}`)
}

function checkVariants({ name, spec }: Study, variants: string[] | undefined): void {
  const known = Object.keys(spec.variants)
  const unknown = variants?.find((variant) => !known.includes(variant))
  if (unknown === undefined) return
  const what = `unknown variant '${unknown}'${suggest(unknown, known)}`
  throw new MixlabError('option', `only(${name}).variants`, what)
}

function part(study: Study, options: OnlyOptions): Study {
  const { variants: wanted, seeds, quick } = options
  const { from, ...whole }: StudySpec = quick ? quickSpec(study.spec) : study.spec
  const variants = Object.entries(whole.variants).filter(([name]) => wanted?.includes(name) ?? true)
  const spec = variants.length === 1 ? unasked(whole) : whole
  const task = quick ? quickTask(spec.task) : spec.task
  const narrowed: Study = {
    kind: 'study',
    name: study.name,
    spec: {
      ...spec,
      task,
      variants: Object.fromEntries(quick ? variants.map(([name, own]) => [name, quickVariant(own)]) : variants),
      ...(seeds === undefined ? {} : { seeds }),
      ...(from ? { from: withStudy(from, (study) => part(study, options)) } : {}),
    },
  }
  copyProvenance(study, narrowed) // the code of its blocks is where it was
  return narrowed
}

/** A study without what it asks of its variants together. */
function unasked<Spec extends Omit<StudySpec, 'from'>>(spec: Spec) {
  const { questions: _, margin: __, correction: ___, together: ____, learned: _____, ...rest } = spec
  return rest
}

/** A variant whose task has a teacher that is as the quick mode runs it. */
function quickVariant(variant: Variant): Variant {
  if (isBlock(variant) || !variant.task) return variant
  return { ...variant, task: quickTask(variant.task) }
}

/** The same of a task. */
function quickTask(task: TaskSpec): TaskSpec {
  const { defined } = task
  if (!defined || !isStudy(defined.teacher)) return task
  const own: OwnTask = { ...defined, teacher: part(defined.teacher, { quick: true }) }
  copyProvenance(defined, own)
  return { ...task, defined: own }
}
