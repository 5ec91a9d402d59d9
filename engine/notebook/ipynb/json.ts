import { MixlabError } from '../../errors.ts'

/** Parses a file as Jupyter writes it: NaN and infinities, which Python lets through, are null. Throws MixlabError. */
export function parseJupyter(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const parts = partsOf(json)
    const finite = parts.map((part) => (part.startsWith('"') ? part : part.replace(/-?\bInfinity\b|\bNaN\b/g, 'null')))
    if (finite.some((part, at) => part !== parts[at])) return parseJupyter(finite.join(''))
    throw new MixlabError('notebook', 'ipynb', faultOf(json, parts, String(error)))
  }
}

/** Strings, and what is between them; together they are the text. */
function partsOf(json: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < json.length; ) {
    const open = json.indexOf('"', at)
    const end = open < 0 ? json.length : endOfString(json, open)
    parts.push(json.slice(at, open < 0 ? end : open), ...(open < 0 ? [] : [json.slice(open, end)]))
    at = end
  }
  return parts
}

function endOfString(json: string, open: number): number {
  for (let close = json.indexOf('"', open + 1); close > 0; close = json.indexOf('"', close + 1)) {
    let slashes = 0
    while (json[close - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return close + 1
  }
  return json.length
}

/** What is wrong with a text that is not JSON, and where. */
function faultOf(json: string, parts: string[], message: string): string {
  if (json.trim() === '') return 'the file is empty'
  if (/^\s*</.test(json)) return 'is a web page, not a notebook; download the file itself'
  if (json.startsWith('version https://git-lfs')) return "is a pointer of Git LFS, not the file; run 'git lfs pull'"
  const mark = /^<{7} /m.exec(json)
  if (mark) return `${placeOf(json, mark.index)} is a conflict mark of git; resolve the conflict first`
  let at = 0
  for (const part of parts) {
    const comma = part.startsWith('"') ? -1 : part.search(/,\s*[\]}]/)
    if (comma >= 0) return `is not JSON: ${placeOf(json, at + comma)} is a comma with nothing behind it`
    at += part.length
  }
  const position = Number(/position (\d+)/.exec(message)?.[1])
  if (/end of JSON/.test(message) || position >= json.trimEnd().length) {
    return `is not JSON: it breaks off in line ${json.trimEnd().split('\n').length}`
  }
  return `is not JSON${position >= 0 ? `: the fault is at ${placeOf(json, position)}` : ''}`
}

function placeOf(json: string, at: number): string {
  const lines = json.slice(0, at).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
