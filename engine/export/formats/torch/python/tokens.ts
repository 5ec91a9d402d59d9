import { MixlabError } from '../../../../errors.ts'

/** A word of a line of Python. */
export interface Token {
  kind: 'number' | 'string' | 'name' | 'sign' | 'end'
  text: string
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|('[^']*'|"(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)|(\*\*|[=!<>]=|\.\.\.|[-+*/@()[\],.=:<>])|#.*$)/y

/** A line that says something, and how far it is indented. */
export interface Line {
  indent: number
  tokens: Token[]
  text: string
}

export const cannotRead = (line: string) =>
  new MixlabError('weights', 'PyTorch', `cannot read this line: ${line.trim().slice(0, 200)}`)

/** The lines of some Python that is not empty, without comments and texts that stand alone. */
export function linesOf(source: string): Line[] {
  const found: Line[] = []
  for (const text of source.split('\n')) {
    const tokens = tokensOf(text)
    const isText = tokens[0]?.kind === 'string' && tokens[1]?.kind === 'end'
    if (tokens.length > 1 && !isText) found.push({ indent: text.search(/\S/), tokens, text })
  }
  return found
}

function tokensOf(line: string): Token[] {
  const text = line.trim()
  if (/^"""[^"]*"""$/.test(text)) return [{ kind: 'end', text: '' }]
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (!found) throw cannotRead(line)
    const [, number, string, name, sign] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (string !== undefined) tokens.push({ kind: 'string', text: unquoted(string) })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
  }
  return [...tokens, { kind: 'end', text: '' }]
}

const unquoted = (text: string): string => (text.startsWith('"') ? JSON.parse(text) : text.slice(1, -1))
