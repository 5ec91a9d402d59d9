import type { AnyNode, ObjectExpression } from 'acorn'
import { MixlabError } from '../../errors.ts'
import type { Edit } from '../../notebook/edits.ts'
import { transpile } from '../../notebook/transpile.ts'
import { DEFAULT_SEEDS } from '../seeds.ts'
import { comparisonsIn, literalNumber, numbersOf, propertyOf } from './comparisons.ts'

/**
 * The text of a code cell in which the study of a name, `compare('name', { ... })`, has so many more seeds: `seeds: 3`
 * becomes `seeds: 5`, `seeds: [1, 7]` becomes `seeds: [1, 7, 8, 9]`. All else stays as it is. Null where the cell does not
 * define the study. Throws MixlabError `notebook` where the number is not written there but comes from elsewhere.
 */
export function withSeeds(source: string, study: string, more: number): string | null {
  const { code, program } = transpile(source, study)
  const [comparison, another] = comparisonsIn(program).filter((each) => each.study === study)
  if (!comparison) return null
  if (another) throw elsewhere(study, 'it is defined twice')
  return placed(source, code, editOf(code, comparison.spec, study, more), study)
}

function editOf(code: string, spec: ObjectExpression, study: string, more: number): Edit {
  const property = propertyOf(spec, 'seeds')
  if (!property) return inserted(code, spec.properties.at(-1) ?? spec, spec.end, DEFAULT_SEEDS + more)
  if (property.type === 'SpreadElement') throw elsewhere(study, `it may come from '${textOf(code, property)}'`)
  const { value } = property
  const count = literalNumber(value)
  if (count !== null) return over(value, String(count + more))
  const seeds = numbersOf(value)
  const last = value.type === 'ArrayExpression' ? value.elements.at(-1) : null
  if (!seeds || !last) throw elsewhere(study, `it is '${textOf(code, value)}'`)
  const added = Array.from({ length: more }, (_, i) => Math.max(...seeds) + i + 1)
  return over(last, [textOf(code, last), ...added].join(', '))
}

/** A new property after the last one, on a line of its own where that ends its line. */
function inserted(code: string, last: AnyNode, end: number, seeds: number): Edit {
  const [upTo = ''] = /^((\s|\/\*.*?\*\/|\/\/.*\n)*,|[^\S\n]+(?=\n))/s.exec(code.slice(last.end, end - 1)) ?? []
  const start = last.end + upTo.length
  const tail = code.slice(start, end - 1)
  const head = tail.trimEnd()
  const before = tail.includes('\n') ? `\n${/[^\S\n]*$/.exec(code.slice(0, last.start))?.[0] ?? ''}` : ' '
  const [first, after] = upTo.endsWith(',') ? ['', ','] : [',', '']
  return { start, end, text: `${first}${head}${before}seeds: ${seeds}${after}${tail.slice(head.length)}}` }
}

/**
 * The source whose code is that of `source` after an edit. The code lacks the types, so its offsets differ: of the
 * places in the source with this text, the one is taken where the edit changes the code in the same way.
 */
function placed(source: string, code: string, { start, end, text }: Edit, study: string): string {
  const before = code.slice(start, end)
  const wanted = code.slice(0, start) + text + code.slice(end)
  for (let at = source.indexOf(before); at >= 0; at = source.indexOf(before, at + 1)) {
    const changed = source.slice(0, at) + text + source.slice(at + before.length)
    if (codeOf(changed, study) === wanted) return changed
  }
  throw elsewhere(study, 'its place in the text was not found')
}

function codeOf(source: string, cell: string): string | null {
  try {
    return transpile(source, cell).code
  } catch {
    return null // the change was made in the middle of something else
  }
}

function elsewhere(study: string, why: string): MixlabError {
  return new MixlabError('notebook', `${study}.seeds`, `${why}; change the number of seeds there by hand`)
}

function over({ start, end }: AnyNode, text: string): Edit {
  return { start, end, text }
}

function textOf(code: string, { start, end }: { start: number; end: number }): string {
  return code.slice(start, end)
}
