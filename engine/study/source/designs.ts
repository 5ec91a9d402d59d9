import { MixlabError } from '../../errors.ts'
import { transpile } from '../../notebook/transpile.ts'
import { DEFAULT_SEEDS } from '../seeds.ts'
import { type CompareCall, comparisonsIn, literalNumber, numbersOf, propertyOf } from './comparisons.ts'

/** The size of a study. */
export interface Design {
  study: string
  variants: number
  seeds: number
  /** How many studies it is planned together with, itself among them; left out where it is planned alone. */
  together?: number
  /** Where it is looked at after every seed, up to this one. */
  upTo?: number
}

/** The sizes of the studies that a code cell defines, where they are written in its text; none of a cell that cannot be read. */
export function designsIn(source: string, cell: string): Design[] {
  return callsIn(source, cell).flatMap((each) => designOf(each) ?? [])
}

/** The names of the studies that a code cell would define, as far as its text has them. */
export function namesIn(source: string, cell: string): string[] {
  return callsIn(source, cell).map(({ study }) => study)
}

/**
 * The names of all studies that some code cells define; null where their text does not say all of them: a name is computed, a
 * cell cannot be read, or `compare` goes by another name.
 */
export function allNamesIn(cells: readonly { source: string; id: string }[]): string[] | null {
  const names: string[] = []
  for (const { source, id } of cells) {
    if (!source.includes('compare')) continue
    const tokens = tokensOf(source, id)
    if (!tokens) return null
    for (let i = tokens.indexOf('compare'); i !== -1; i = tokens.indexOf('compare', i + 1)) {
      const [next, name = '', end] = tokens.slice(i + 1)
      const statement = tokens.lastIndexOf('import', i)
      const isImport = statement !== -1 && !tokens.slice(statement, i).includes('from')
      const isName = next === '(' && /^(['"])[^\\]*\1$/.test(name) && end === ','
      if (isImport ? next === 'as' : !isName) return null
      if (!isImport) names.push(name.slice(1, -1))
    }
  }
  return names
}

function tokensOf(source: string, cell: string): string[] | null {
  try {
    return transpile(source, cell).tokens
  } catch (error) {
    if (error instanceof MixlabError) return null
    throw error
  }
}

function callsIn(source: string, cell: string): CompareCall[] {
  if (!source.includes('compare')) return []
  try {
    return comparisonsIn(transpile(source, cell).program)
  } catch (error) {
    if (error instanceof MixlabError) return []
    throw error
  }
}

function designOf({ study, spec }: CompareCall): Design | null {
  const variants = propertyOf(spec, 'variants')
  const upTo = upToOf(spec)
  const seeds = upTo ?? seedsOf(spec)
  if (seeds === null || variants?.type !== 'Property' || variants.value.type !== 'ObjectExpression') return null
  const { properties } = variants.value
  const together = togetherOf(spec)
  if (together === null || properties.some(({ type }) => type !== 'Property')) return null
  const looks = upTo === null ? {} : { upTo }
  return { study, variants: properties.length, seeds, ...(together > 1 && { together }), ...looks }
}

/** How many studies are planned together; null where the text does not say. */
function togetherOf(spec: CompareCall['spec']): number | null {
  const property = propertyOf(spec, 'together')
  if (!property || property.type === 'SpreadElement') return 1 // what is spread may say it, and hardly ever does
  const { value } = property
  if (value.type !== 'ArrayExpression') return null
  return value.elements.some((each) => each?.type !== 'Literal') ? null : value.elements.length
}

function seedsOf(spec: CompareCall['spec']): number | null {
  const property = propertyOf(spec, 'seeds')
  if (!property) return DEFAULT_SEEDS
  if (property.type === 'SpreadElement') return null
  const { value } = property
  return literalNumber(value) ?? numbersOf(value)?.length ?? null
}

/** The last seed of a study that is looked at after every seed: `seeds: { upTo: 24 }`. */
function upToOf(spec: CompareCall['spec']): number | null {
  const seeds = propertyOf(spec, 'seeds')
  if (seeds?.type !== 'Property' || seeds.value.type !== 'ObjectExpression') return null
  const upTo = propertyOf(seeds.value, 'upTo')
  return upTo?.type === 'Property' ? literalNumber(upTo.value) : null
}
