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
export function studyWith(study: Study, chosen: (variant: string) => TriedValue): Study {
  return trainedWith(study, (variant) => [[variant, chosen(variant)]])
}

/** The study with what was chosen for its variants: one that keeps several values is trained with each. */
export function studyChosen(study: Study, { tried }: Tune, design: TunedDesign): Study {
  const found = new Map(design.variants.map((each) => [each.variant, each]))
  const valuesOf = (variant: string) => {
    const { chosen = 0, kept = [{ value: chosen, variant }] } = found.get(variant) ?? {}
    return kept.map(({ value, variant: name }) => [name, tried[value] as TriedValue] as const)
  }
  return madeOf(study, { ...trainedWith(study, valuesOf), tuned: { design, before: study.spec } })
}

/** The study whose variants have the names and values that are given for each. */
function trainedWith(
  study: Study,
  valuesOf: (variant: string) => (readonly [name: string, value: TriedValue])[],
): Study {
  const { tune: _, ...spec } = study.spec
  const variants = Object.entries(spec.variants).flatMap(([variant, own]) =>
    valuesOf(variant).map(([name, value]) => [name, withValue(own, value, true)]),
  )
  return madeOf(study, { kind: 'study', name: study.name, spec: { ...spec, variants: Object.fromEntries(variants) } })
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
