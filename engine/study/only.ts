import { z } from 'zod'
import { MixlabError, suggest } from '../errors.ts'
import { isBlock } from '../nn/block.ts'
import { copyProvenance } from '../notebook/provenance.ts'
import { parseOptions } from '../options.ts'
import type { OwnTask, TaskSpec } from '../tasks/types.ts'
import { isStudy, type Study, type StudySpec, seedsSchema, type Variant } from './compare.ts'
import { quickSpec } from './design/quick.ts'
import { isWeightsFile } from './start/weightsFile.ts'
import { studiesIn } from './studies.ts'
import { tuningStudy } from './tuning/grid.ts'

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
}

const schema = z.strictObject({
  studies: z.array(z.string()).min(1).optional(),
  variants: z.array(z.string()).min(1).optional(),
  seeds: seedsSchema.optional(),
  quick: z.boolean().optional(),
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

/** A study, or the one that chooses its values where that, or a variant of it, is what the options name. */
function namedBy(study: Study, { studies, variants }: OnlyOptions): Study {
  if (!study.spec.tune) return study
  const tuning = tuningStudy(study, study.spec.tune)
  const isNamed = studies?.includes(tuning.name) || variants?.some((name) => Object.hasOwn(tuning.spec.variants, name))
  return isNamed ? tuning : study
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
  const { from, ...spec }: StudySpec = quick ? quickSpec(study.spec) : study.spec
  const variants = Object.entries(spec.variants).filter(([name]) => wanted?.includes(name) ?? true)
  const task = quick ? quickTask(spec.task) : spec.task
  const narrowed: Study = {
    kind: 'study',
    name: study.name,
    spec: {
      ...spec,
      task,
      variants: Object.fromEntries(quick ? variants.map(([name, own]) => [name, quickVariant(own)]) : variants),
      ...(seeds === undefined ? {} : { seeds }),
      ...(from ? { from: isWeightsFile(from) ? from : part(from, options) } : {}),
    },
  }
  copyProvenance(study, narrowed) // the code of its blocks is where it was
  return narrowed
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
