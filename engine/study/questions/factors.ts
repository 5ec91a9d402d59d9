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

/** A factor of a study by its name. Throws MixlabError `option` where there is none such, or one of a single level. */
export function factorOf(asked: Asked, name: unknown): Factor {
  const path = `${asked.study}.questions`
  const wanted = String(name)
  if (Object.hasOwn(asked.constant, wanted)) {
    const what = `factor '${wanted}' has one level, ${asked.constant[wanted]}, and a question needs two or more`
    throw new MixlabError('option', path, what)
  }
  const { factors } = crossingIn(asked)
  const found = factors.find((factor) => factor.name === name)
  if (found) return found
  const names = factors.map((factor) => factor.name)
  throw new MixlabError('option', path, `unknown factor '${wanted}'${suggest(wanted, names)}`)
}

/** Two different factors of a study. Throws MixlabError `option`. */
export function twoFactors(asked: Asked, what: string, name: unknown, other: unknown): [Factor, Factor] {
  const two: [Factor, Factor] = [factorOf(asked, name), factorOf(asked, other)]
  if (two[0] !== two[1]) return two
  throw new MixlabError('option', `${asked.study}.questions`, `${what} of '${two[0].name}' with itself`)
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

/** The variants with some levels, one for each combination of the other factors, in one order for all such levels. */
export function variantsWith(crossing: Crossing, ...levels: readonly [string, Level][]): string[] {
  const others = combinations(crossing.factors, ...levels.map(([name]) => name))
  return others.map((rest) => variantAt(crossing, [...rest, ...levels]) as string)
}

/** What a contrast is averaged over, as the end of its name: `, over all lr and depth`; '' for nothing. */
export function overText(crossing: Crossing, ...without: string[]): string {
  const rest = crossing.factors.filter(({ name }) => !without.includes(name)).map(({ name }) => name)
  return rest.length > 0 ? `, over all ${rest.join(' and ')}` : ''
}
