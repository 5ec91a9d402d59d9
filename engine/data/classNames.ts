import { quoted } from '../errors.ts'

/** What the names of one class have in common: they are equal after Unicode normalisation. */
export const nameKey = (name: string) => name.normalize('NFC')

/**
 * Names of classes, each class once. A class that is written in several ways has the normal one (NFC), any other stays as it
 * is written, so that data sets without such names have the hashes that they had.
 */
export function classNames(written: readonly string[]): string[] {
  const ways = Map.groupBy(new Set(written), nameKey)
  return [...ways].map(([key, own]) => (own.length > 1 ? key : (own[0] as string)))
}

/** That classes may be one, by their names. */
export function alike(names: readonly string[]): string[] {
  const groups = [...Map.groupBy(names, (name) => name.trim().toLowerCase()).values()]
  const same = groups.filter(({ length }) => length > 1)
  return same.map((own) => `The classes ${own.map(quoted).join(' and ')} differ by case or spaces alone.`)
}
