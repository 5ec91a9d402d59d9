import { MixlabError, suggest } from '../errors.ts'
import { resolveSize } from '../nn/size.ts'
import type { Block, Size } from '../nn/types.ts'
import { checkRecipe, resolveTask, type TaskSpec } from '../tasks/index.ts'
import { type Recipe, resolveRecipe } from '../train/recipe.ts'
import type { Study, StudySpec } from './compare.ts'
import { quickSpec } from './quick.ts'
import { DEFAULT_SEEDS, seedList } from './seeds.ts'

/** How the user wants a study to run, this time. */
export interface StudyOptions {
  quick?: boolean | undefined
  /** Only these variants. */
  only?: string[] | undefined
  /** This many seeds instead of those of the study. */
  seeds?: number | undefined
}

/** A study with every default filled in. */
export interface ResolvedStudy {
  name: string
  task: TaskSpec
  variants: { name: string; block: Block; size: Size }[]
  recipe: Recipe
  seeds: number[]
  /** The study whose weights its runs start from. */
  from?: Study | undefined
}

export function resolveStudy(study: Study, options: StudyOptions = {}): ResolvedStudy {
  const spec: StudySpec = options.quick ? quickSpec(study.spec) : study.spec
  const names = Object.keys(spec.variants)
  for (const name of options.only ?? []) {
    if (!names.includes(name)) {
      throw new MixlabError('option', study.name, `unknown variant '${name}'${suggest(name, names)}`)
    }
  }
  const recipe = resolveRecipe(spec.train ?? {}, `${study.name}.train`)
  checkRecipe(spec.task, recipe, `${study.name}.train`)
  return {
    name: study.name,
    task: resolveTask(spec.task),
    variants: Object.entries(spec.variants)
      .filter(([name]) => options.only?.includes(name) ?? true)
      .map(([name, block]) => ({
        name,
        block,
        size: resolveSize(block, spec.model ?? {}, `${study.name}.variants.${name}`),
      })),
    recipe,
    seeds: seedList(options.seeds ?? spec.seeds ?? DEFAULT_SEEDS),
    from: spec.from,
  }
}
