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
