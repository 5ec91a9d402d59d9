import { isBlock } from '../../nn/block.ts'
import { copyProvenance } from '../../notebook/provenance.ts'
import type { TunedDesign } from '../../records/tuned.ts'
import type { Study, StudySpec, Variant, VariantParts } from '../compare.ts'
import { type StudyOptions, seedsOf } from '../design/resolve.ts'
import { tunedName, tuningName } from './names.ts'
import type { TriedValue, Tune } from './tune.ts'

/**
 * The study whose runs choose: each variant with each value and the seeds of tuning, the first of them in the quick mode. It
 * asks nothing.
 */
export function tuningStudy(study: Study, tune: Tune): Study {
  const {
    tune: _,
    questions: __,
    correction: ___,
    together: ____,
    margin: _____,
    learned: ______,
    ...spec
  } = study.spec
  return madeOf(study, {
    kind: 'study',
    name: tuningName(study.name),
    spec: {
      ...spec,
      variants: Object.fromEntries(
        Object.entries(spec.variants).flatMap(([name, variant]) =>
          tune.tried.map((value) => [tunedName(name, value), withValue(variant, value, false)]),
        ),
      ),
      questions: [],
      seeds: [...tune.seeds],
      quick: { ...spec.quick, seeds: tune.seeds.slice(0, 1) },
    },
  })
}

/** The study with a value for each of its variants. */
export function studyWith(study: Study, chosen: (variant: string) => TriedValue, design?: TunedDesign): Study {
  const { tune: _, ...spec } = study.spec
  return madeOf(study, {
    kind: 'study',
    name: study.name,
    spec: {
      ...spec,
      variants: Object.fromEntries(
        Object.entries(spec.variants).map(([name, variant]) => [name, withValue(variant, chosen(name), true)]),
      ),
    },
    ...(design && { tuned: { design, before: study.spec } }),
  })
}

/** A study that has all runs that a study may come to, those of tuning and those with any of the values. */
export function everyRun(study: Study, options: StudyOptions = {}): { study: Study; options: StudyOptions } {
  const { tune } = study.spec
  if (!tune) return { study, options }
  const all = tuningStudy(study, tune)
  const seeds = [...tune.seeds, ...seedsOf(study.spec, options).seeds]
  const spec: StudySpec = { ...all.spec, seeds, quick: { ...all.spec.quick, seeds } }
  return { study: madeOf(study, { ...all, spec }), options: { quick: options.quick } }
}

/** A variant with the parts of a value laid over its own. */
function withValue(variant: Variant, { parts }: TriedValue, keepFactors: boolean): VariantParts {
  const { factors, ...own } = isBlock(variant) ? { block: variant } : variant
  return {
    ...own,
    ...(factors && keepFactors && { factors }),
    ...(parts.model && { model: { ...own.model, ...parts.model } }),
    ...(parts.train && { train: { ...own.train, ...parts.train } }),
  }
}

/** A study that is made of another one, whose cell has its code. */
function madeOf(origin: Study, study: Study): Study {
  copyProvenance(origin, study)
  return study
}
