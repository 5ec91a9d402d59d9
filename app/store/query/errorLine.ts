/**
 * The line, from 1, of what SQLite complains about, or null where its message names nothing that the text has. `complaint`
 * gives the message for the beginning of a text, or null if that has none.
 */
export function errorLine(sql: string, message: string, complaint: (sql: string) => string | null): number | null {
  const token = /^near "([\s\S]+)": syntax error/.exec(message)?.[1]
  if (token !== undefined) {
    // The same token may stand earlier, where it is right; the beginning that ends with the wrong one fails the same way.
    const end = placesOf(sql, token)
      .map((start) => start + token.length)
      .find((end) => complaint(sql.slice(0, end)) === message)
    return end === undefined ? null : lineAt(sql, end)
  }
  if (message === 'incomplete input') return lineAt(sql, sql.trimEnd().length)
  const broken = /^unrecognized token: "([\s\S]+)"$/.exec(message)?.[1]
  if (broken !== undefined) return lineAt(sql, sql.lastIndexOf(broken))
  const name = /^(?:no such|ambiguous|wrong number of arguments to|misuse of)\b.*?([^\s.:()]+)(?:\(\))?$/.exec(
    message,
  )?.[1]
  const start = name === undefined ? undefined : placesOf(sql, name).find((place) => isWord(sql, place, name.length))
  return start === undefined ? null : lineAt(sql, start)
}

const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g
const COMMENT_OR_STRING = new RegExp(`${COMMENT.source}|'(?:[^']|'')*'`, 'g')

/** Where `token` begins in code, not in comments and strings; the case does not matter. */
function placesOf(sql: string, token: string): number[] {
  const hides = token.startsWith("'") ? COMMENT : COMMENT_OR_STRING
  const code = sql.replace(hides, (hidden) => hidden.replace(/[^\n]/g, ' '))
  const places: number[] = []
  const [text, wanted] = [code.toLowerCase(), token.toLowerCase()]
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at)
  return places
}

function isWord(sql: string, start: number, length: number): boolean {
  return !/\w/.test(sql[start - 1] ?? '') && !/\w/.test(sql[start + length] ?? '')
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
