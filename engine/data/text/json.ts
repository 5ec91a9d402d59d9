import { utf8ToBytes } from '@noble/hashes/utils.js'
import { MixlabError } from '../../errors.ts'
import { decodeText } from './utf8.ts'

const SPACE = /[ \t\r\n]*/y
/** A string up to its closing quote. */
const STRING = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*/y
const QUOTE = /"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
/** What may be left of an escape or a word where a file was cut. */
const CUT = /^\\?\w{0,4}$/
/** What is nested deeper counts as a fault, before the stack ends. */
const MAX_DEPTH = 1000

/** Parses JSON in UTF-8. Throws MixlabError `data` with `path`, the name of the file, and the byte offset. */
export function parseJson(bytes: Uint8Array, path: string): unknown {
  const text = textOf(bytes, path)
  try {
    return JSON.parse(text)
  } catch {
    const { end } = walk(text, null)
    const rest = text.slice(end)
    const found = CUT.test(rest)
      ? 'the file ends within its JSON, truncated'
      : `'${inOneLine(rest.slice(0, 20))}' is not JSON`
    throw new MixlabError('data', path, `offset ${byteOffset(bytes, rest)}: ${found}`)
  }
}

const inOneLine = (text: string) => text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')

/** The byte offset in valid JSON of the value at `steps`, e.g. `['data', '0']`, or of the last one on the way there. */
export function offsetIn(bytes: Uint8Array, steps: readonly string[], path: string): number {
  const text = textOf(bytes, path)
  return byteOffset(bytes, text.slice(walk(text, steps).reached))
}

function textOf(bytes: Uint8Array, path: string): string {
  return decodeText(bytes, path, (offset) => `offset ${offset}`)
}

/** Where `rest` begins, the end of the text; counted from the end, as a byte order mark is not in the text. */
function byteOffset(bytes: Uint8Array, rest: string): number {
  return bytes.length - utf8ToBytes(rest).length
}

/**
 * Reads JSON until the value at `route` begins or the grammar is broken, which runtimes do not agree to report. `end` is
 * where it stopped, `reached` where the last value on the route begins. Without a route it reads to the first fault.
 */
function walk(text: string, route: readonly string[] | null): { end: number; reached: number } {
  let end = 0
  let reached = 0
  let depth = 0
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = end
    if (!pattern.test(text)) return false
    end = pattern.lastIndex
    return true
  }
  const next = (character: string) => {
    skip(SPACE)
    if (text[end] !== character) return false
    end++
    return true
  }
  const value = (steps: readonly string[] | null): boolean => {
    skip(SPACE)
    if (steps) reached = end
    if (steps?.length === 0) return false
    const [step, ...further] = steps ?? []
    const routeOf = (key: string) => (key === step ? further : null)
    if (next('{')) return next('}') || list('}', () => name((key) => value(routeOf(key))))
    if (next('[')) return next(']') || list(']', (i) => value(routeOf(String(i))))
    return text[end] === '"' ? string() : skip(SCALAR)
  }
  const string = () => skip(STRING) && skip(QUOTE)
  const name = (read: (key: string) => boolean): boolean => {
    skip(SPACE)
    const start = end
    if (!string()) return false
    const key = text.slice(start + 1, end - 1)
    return next(':') && read(key)
  }
  const list = (close: string, member: (i: number) => boolean): boolean => {
    if (++depth > MAX_DEPTH) return false
    let i = 0
    do if (!member(i++)) return false
    while (next(','))
    depth--
    return next(close)
  }
  if (value(route)) skip(SPACE)
  return { end, reached }
}
