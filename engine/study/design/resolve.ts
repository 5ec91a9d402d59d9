import { Unrepeatable } from '../../chance.ts'
import { MixlabError, suggest } from '../../errors.ts'
import { withEnds } from '../../nn/block.ts'
import { resolveSize } from '../../nn/size.ts'
import type { Block, Size } from '../../nn/types.ts'
import { locatedIfInCell } from '../../notebook/location.ts'
import { checkRecipe, resolveTask, type TaskSpec } from '../../tasks/index.ts'
import { type Recipe, resolveRecipe } from '../../train/recipe.ts'
import type { Study, StudySpec, Variant, VariantParts } from '../compare.ts'
import { DEFAULT_SEEDS, seedList } from '../seeds.ts'
import type { Start } from '../start/weightsOf.ts'
import { type AnytimeSeeds, isAnytime } from '../statistics/sequentialTest.ts'
import { quickSpec } from './quick.ts'
import { partsOf, withParts } from './variant.ts'

/** How the user wants a study to run, this time. */
export interface StudyOptions {
  quick?: boolean | undefined
  /** Only these variants. */
  only?: string[] | undefined
  /** Only plans it: nothing is trained, nor recorded. */
  planOnly?: boolean | undefined
  /** Only the runs that choose the values of a study that is tuned. */
  tuning?: boolean | undefined
  /** This many seeds, or these: of those of the study, where it has them, or else instead. */
  seeds?: number | number[] | undefined
}

/** A variant with every default filled in. */
export interface ResolvedVariant {
  name: string
  block: Block
  size: Size
  task: TaskSpec
  recipe: Recipe
  /** The study, or the file, whose weights its runs start from. */
  from?: Start<Study> | undefined
  /** What it sets itself. */
  parts: VariantParts
}

/** A study with every default filled in. */
export interface ResolvedStudy {
  name: string
  variants: ResolvedVariant[]
  seeds: number[]
  /** Those of the seeds that are wanted this time; null for all. */
  part: number[] | null
  /** Where it is looked at after every seed. */
  anytime?: AnytimeSeeds | undefined
}

/** All variants of a study; seeds that it has are a part of it, others are instead of its own. Throws MixlabError `option`. */
export function resolveStudy(study: Study, options: Pick<StudyOptions, 'quick' | 'seeds'> = {}): ResolvedStudy {
  const { name, spec } = study
  return {
    name,
    variants: Object.entries(spec.variants).map(([name, given]) => resolveVariant(study, name, given, options.quick)),
    ...seedsOf(spec, options),
  }
}

/** The seeds of a study. */
export function seedsOf(
  spec: StudySpec,
  { quick, seeds }: Pick<StudyOptions, 'quick' | 'seeds'>,
): Pick<ResolvedStudy, 'seeds' | 'part' | 'anytime'> {
  const { seeds: looked } = quick ? quickSpec(spec) : spec
  const own = seedList(looked ?? DEFAULT_SEEDS)
  const wanted = seeds === undefined ? own : seedList(seeds)
  const isPart = wanted.length < own.length && wanted.every((seed) => own.includes(seed))
  const anytime = isAnytime(looked) ? { upTo: Math.max(typeof seeds === 'number' ? seeds : 0, looked.upTo) } : undefined
  return { seeds: isPart ? own : wanted, part: isPart ? wanted : null, anytime }
}

function resolveVariant({ name: study, spec }: Study, name: string, given: Variant, quick = false): ResolvedVariant {
  const parts = partsOf(given)
  const whole = withParts(spec, parts)
  const { block, model = {}, train = {}, task, from } = quick ? quickSpec(whole) : whole
  const path = `${study}.variants.${name}`
  if (!block) throw new MixlabError('option', path, 'has no block, and neither has the study')
  const { stem, head } = { ...model, ...block.ends } // what a variant says goes before what the study says
  const trainPath = parts.train ? `${path}.train` : `${study}.train`
  const recipe = inCell(() => resolveRecipe(train, trainPath))
  checkRecipe(task, recipe, trainPath)
  const size = resolveSize(block, model, path)
  const ended = stem !== block.ends.stem || head !== block.ends.head ? withEnds(block, { stem, head }) : block
  return { name, block: ended, size, task: resolveTask(task), recipe, from, parts }
}

/** What a schedule of a cell throws, at its line. */
function inCell<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof Unrepeatable ? locatedIfInCell(error) : error
  }
}

/** Throws MixlabError `option` unless a study has all these variants. */
export function checkOnly({ name, spec }: Study, only: readonly string[] = []): void {
  const names = Object.keys(spec.variants)
  const unknown = only.find((variant) => !names.includes(variant))
  if (unknown === undefined) return
  throw new MixlabError('option', name, `unknown variant '${unknown}'${suggest(unknown, names)}`)
}
