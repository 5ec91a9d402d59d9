import { MixlabError, quoted } from '../../errors.ts'

/** A tensor of a type that is not read. */
export type Unread = readonly [name: string, type: string]

/** Most names of a list, and most lists. */
const [NAMED, LINES] = [8, 6]

/** Some words apart by commas, and how many more there are. */
export function listedText(words: readonly string[]): string {
  const more = words.length > NAMED ? ` and ${words.length - NAMED} more` : ''
  return `${words.slice(0, NAMED).join(', ')}${more}`
}

/** The same of names, in quotes. */
export const namesText = (names: readonly string[]) => listedText(names.map(quoted))

/** What of a file was left out, in words: nothing, or a line. */
export const leftText = (names: readonly string[], where = 'of the file') =>
  names.length > 0 ? [`left out ${where}: ${namesText(names)}`] : []

/** Tensors of types that are not read, in words, a line for each type. */
export function unreadText(unread: readonly Unread[]): string[] {
  const types = [...Map.groupBy(unread, ([, type]) => type)]
  const rest = types.length > LINES ? types.splice(LINES - 1) : []
  const all = [
    ...types.map(([type, of]) => [of, `of type ${quoted(type)}`] as const),
    ...(rest.length > 0
      ? [[rest.flatMap(([, of]) => of), `of types ${namesText(rest.map(([type]) => type))}`] as const]
      : []),
  ]
  return all.map(([of, words]) => {
    const [names, one] = [namesText(of.map(([name]) => name)), of.length === 1]
    return `tensor${one ? '' : 's'} ${names} ${words} ${one ? 'is' : 'are'} not read`
  })
}

/** The first of some lines, each once, and how many more there are. */
export function bounded(lines: readonly string[]): string[] {
  const all = [...new Set(lines)]
  return all.length > LINES ? [...all.slice(0, LINES), `and more is left out (${all.length - LINES} more lines)`] : all
}

/** Most things left out that an error names. */
const TOLD = 3

/** An error of a file that does not fit, with what of it was not read, which may be why. */
export function withLeft(error: unknown, left: readonly string[]): unknown {
  if (!(error instanceof MixlabError) || error.code !== 'weights' || left.length === 0) return error
  const message = error.message.slice(error.path === '' ? 0 : error.path.length + 2)
  return new MixlabError('weights', error.path, [message, ...left.slice(0, TOLD)].join('; '))
}
