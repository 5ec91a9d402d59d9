import { MixlabError } from '../../errors.ts'
import { isPlain, orderError } from '../../names.ts'
import { capturing, isBlock } from '../../nn/block.ts'
import type { FactorValues } from '../../records/design.ts'
import type { Variant, VariantParts } from '../compare.ts'
import { lostOrder } from './order.ts'
import { partsOf } from './variant.ts'

/** The values of a factor: a list of plain ones, or any values by the names that they are to have. */
export type Choices = readonly (string | number | boolean)[] | Readonly<Record<string, unknown>>

export type Chosen<Table extends Record<string, Choices>> = {
  [Name in keyof Table]: Table[Name] extends readonly (infer Value)[] ? Value : Table[Name][keyof Table[Name]]
}

/**
 * A hyperparameter sweep over a grid: variants of all combinations of the values of some factors, named after them: with `{ lr: [1e-3, 3e-3] }` there are
 * `lr=0.001` and `lr=0.003`. `build` makes a variant of values by name. Throws MixlabError `option`.
 */
export function factors<const Table extends Record<string, Choices>>(
  table: Table,
  build: (values: Chosen<Table>) => Variant,
): Record<string, VariantParts> {
  return combinations(table, build, 'factors')
}

/** What `build` makes of each combination of values, by a name that says them; errors name the function `caller`. */
export function combinations<const Table extends Record<string, Choices>>(
  table: Table,
  build: (values: Chosen<Table>) => Variant,
  caller: string,
): Record<string, VariantParts> {
  if (!isPlain(table) || Object.keys(table).length === 0) {
    throw new MixlabError('option', caller, 'expected values by the names of factors, e.g. { lr: [1e-3, 3e-3] }')
  }
  if (typeof build !== 'function') {
    throw new MixlabError('option', caller, 'expected a function as second argument, e.g. ({ lr }) => ({ train: … })')
  }
  const given = Object.entries(table)
  const all = given.map(([name, choices]) => choicesOf(`${caller}.${name}`, name, choices))
  const orders = [
    orderError(Object.keys(table), caller),
    ...given.map(([name, choices]) => orderOf(`${caller}.${name}`, choices)),
  ]
  const lost = orders.find((error) => error)
  return Object.fromEntries(
    crossed(all).map((chosen): [string, VariantParts] => {
      const names: FactorValues = Object.fromEntries(chosen.map(({ factor, shown }) => [factor, shown]))
      const values = Object.fromEntries(chosen.map(({ factor, value }) => [factor, value])) as Chosen<Table>
      const name = chosen.map(({ factor, shown }) => `${factor}=${shown}`).join(' ')
      const made: unknown = capturing(names, () => build(values))
      if (typeof made !== 'object' && !isBlock(made)) {
        throw new MixlabError(
          'option',
          `${caller}(${name})`,
          'expected a block, or { block, model, train, task, from }',
        )
      }
      const parts = partsOf(made as Variant)
      return [name, { ...parts, factors: { ...parts.factors, ...names }, ...(lost && { [lostOrder]: lost }) }]
    }),
  )
}

interface Choice {
  factor: string
  shown: string | number | boolean
  value: unknown
}

function choicesOf(path: string, factor: string, choices: Choices): Choice[] {
  const list = Array.isArray(choices)
  if (typeof choices !== 'object' || choices === null || isBlock(choices)) {
    throw new MixlabError('option', path, 'expected a list of values, or values by name')
  }
  const found = list
    ? choices.map((value: unknown) => ({ factor, shown: plain(value, path), value }))
    : Object.entries(choices).map(([shown, value]) => ({ factor, shown, value }))
  if (found.length === 0) throw new MixlabError('option', path, 'empty, expected at least one value')
  const twice = found.find(({ shown }, place) => found.findIndex((other) => other.shown === shown) < place)
  if (twice) throw new MixlabError('option', path, `'${twice.shown}' stands there twice`)
  return found
}

function orderOf(path: string, choices: Choices): MixlabError | undefined {
  if (Array.isArray(choices)) return undefined
  return orderError(Object.keys(choices), path, (name) => `a list: [${name}, …]`)
}

function plain(value: unknown, path: string): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  const how = 'give values that are no number, text or boolean names: { small: …, large: … }'
  throw new MixlabError('option', path, `a list with a value of type ${typeof value}; ${how}`)
}

function crossed(all: Choice[][]): Choice[][] {
  return all.reduce<Choice[][]>((rows, choices) => rows.flatMap((row) => choices.map((each) => [...row, each])), [[]])
}
