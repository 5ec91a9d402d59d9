import { z } from 'zod'
import { MixlabError, suggest } from '../../errors.ts'
import { modelSchema } from '../../nn/size.ts'
import { parseOptions } from '../../options.ts'
import { recipeSchema } from '../../train/recipe.ts'
import { seedsSchema } from '../compare.ts'
import { type Choices, type Chosen, combinations } from '../design/factors.ts'
import { lostOrder } from '../design/order.ts'
import { DEFAULT_SEEDS, seedList } from '../seeds.ts'
import type { Tune, TunedParts } from './tune.ts'

/** The first seed of tuning is the one after this: a study has at most so many itself, where it says how many. */
const SEEDS_BEFORE = 1000

const partsSchema = z.strictObject({ model: modelSchema.optional(), train: recipeSchema.optional() })
const optionsSchema = z.strictObject({ seeds: seedsSchema.optional() })

/**
 * Values of what is no question of a study, such as a learning rate, from which each variant gets its own: the best on
 * validation, in the mean over `seeds` (3 by default: 1001, 1002, ...), with which nothing else is trained. `build` makes
 * parts of a variant, `{ model, train }`, of values by name; several names are crossed. Throws MixlabError `option`.
 */
export function tuned<const Table extends Record<string, Choices>>(
  table: Table,
  build: (values: Chosen<Table>) => TunedParts,
  options: { seeds?: number | number[] } = {},
): Tune {
  const { seeds = DEFAULT_SEEDS } = parseOptions(optionsSchema, options, 'tuned')
  const make = typeof build === 'function' ? (values: Chosen<Table>) => build(onlyKnown(values)) : build
  const tried = Object.entries(combinations(table, make, 'tuned')).map(([name, made]) => {
    const { factors: values = {}, [lostOrder]: lost, ...parts } = made
    if (lost) throw lost
    parseOptions(partsSchema, parts, `tuned(${name})`)
    return { name, values, parts }
  })
  if (tried.length < 2) throw new MixlabError('option', 'tuned', 'one value, expected at least two to choose from')
  const own = typeof seeds === 'number' ? seedList(seeds).map((seed) => SEEDS_BEFORE + seed) : seeds
  return { kind: 'tuned', tried, seeds: own }
}

/** Values that say so where another name is asked for: the default of an option would be trained instead. */
function onlyKnown<Values extends object>(values: Values): Values {
  return new Proxy(values, {
    get(known, name) {
      if (typeof name === 'symbol' || Object.hasOwn(known, name)) return Reflect.get(known, name)
      throw new MixlabError('option', 'tuned', `unknown value '${name}'${suggest(name, Object.keys(known))}`)
    },
  })
}
