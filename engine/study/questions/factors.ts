import { MixlabError, suggest } from '../../errors.ts'
import type { Crossing, Factor, Level } from '../design/crossing.ts'
import type { Asked } from './types.ts'

/** How the variants of a study are crossed. Throws MixlabError `option` where they are not, or where some are missing. */
export function crossingIn({ study, crossing }: Asked): Crossing {
  if (!crossing) {
    const how = 'its variants have no factors; make them by factors({ … }, …)'
    throw new MixlabError('option', `${study}.questions`, how)
  }
  const missing = missingIn(crossing)
  if (missing.length === 0) return crossing
  const named = missing.slice(0, 2).map((levels) => levels.map(([name, level]) => `${name}=${level}`).join(' '))
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : ''
  throw new MixlabError('option', `${study}.questions`, `the variants ${named.join(', ')}${more} are missing`)
}

/** The combinations of levels that no variant has. */
export function missingIn(crossing: Crossing): [name: string, level: Level][][] {
  return combinations(crossing.factors).filter((levels) => !variantAt(crossing, levels))
}

/** A factor of a study by its name. Throws MixlabError `option`. */
export function factorOf(asked: Asked, name: unknown): Factor {
  const { factors } = crossingIn(asked)
  const found = factors.find((factor) => factor.name === name)
  if (found) return found
  const names = factors.map((factor) => factor.name)
  const path = `${asked.study}.questions`
  throw new MixlabError('option', path, `unknown factor '${String(name)}'${suggest(String(name), names)}`)
}

/** The combinations of the levels of all factors but `without`. */
export function combinations(factors: readonly Factor[], ...without: string[]): [name: string, level: Level][][] {
  return factors
    .filter(({ name }) => !without.includes(name))
    .reduce<[string, Level][][]>(
      (rows, { name, levels }) =>
        rows.flatMap((row) => levels.map((level) => [...row, [name, level] as [string, Level]])),
      [[]],
    )
}

/** The variant with some levels, one of each factor. */
export function variantAt({ levels }: Crossing, wanted: readonly (readonly [string, Level])[]): string | undefined {
  const found = [...levels].find(([, has]) => wanted.every(([name, level]) => has[name] === level))
  return found?.[0]
}

/** The variants with a level of a factor, one for each combination of the others, in one order for all levels. */
export function variantsWith(crossing: Crossing, factor: string, level: Level): string[] {
  return combinations(crossing.factors, factor).map(
    (others) => variantAt(crossing, [...others, [factor, level]]) as string,
  )
}
