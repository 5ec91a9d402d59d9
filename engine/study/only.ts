import { z } from 'zod'
import { MixlabError, suggest } from '../errors.ts'
import { isBlock } from '../nn/block.ts'
import { noteProvenance, provenanceOf } from '../notebook/provenance.ts'
import { parseOptions } from '../options.ts'
import type { OwnTask, TaskSpec } from '../tasks/types.ts'
import { isStudy, type Study, type StudySpec, seedsSchema, type Variant } from './compare.ts'
import { quickSpec } from './design/quick.ts'
import { isWeightsFile } from './start/weightsFile.ts'

/** What `only` leaves of a study. */
export interface OnlyOptions {
  /** Names of variants; all by default. */
  variants?: string[] | undefined
  /** How many seeds (1, 2, ...), or which ones; those of the study by default. */
  seeds?: number | number[] | undefined
  /** As the quick mode runs it. */
  quick?: boolean | undefined
}

const schema = z.strictObject({
  variants: z.array(z.string()).min(1).optional(),
  seeds: seedsSchema.optional(),
  quick: z.boolean().optional(),
})

/**
 * A part of a study, and of the studies that it starts from. Its runs are runs of the study, with the same keys. Throws
 * MixlabError `option`, also for a variant that the study does not have.
 */
export function only(study: Study, options: OnlyOptions): Study {
  if (!isStudy(study)) throw new MixlabError('option', 'only', 'expected a study, made by compare(), as first argument')
  const { variants } = parseOptions(schema, options, `only(${study.name})`)
  const known = Object.keys(study.spec.variants)
  const unknown = variants?.find((name) => !known.includes(name))
  if (unknown === undefined) return part(study, options)
  const what = `unknown variant '${unknown}'${suggest(unknown, known)}`
  throw new MixlabError('option', `only(${study.name}).variants`, what)
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
  const provenance = provenanceOf(study)
  if (provenance) noteProvenance(narrowed, provenance) // the code of its blocks is where it was
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
  const provenance = provenanceOf(defined)
  if (provenance) noteProvenance(own, provenance)
  return { ...task, defined: own }
}
