import { columnName } from './column.ts'
import { factNames, SHORT } from './facts.ts'
import { quoted, STATUSES } from './filter.ts'
import type { RunFields } from './types.ts'

const MAX_COMPLETIONS = 50

/** Whole filters that a filter in writing may become: its last word with the names of fields, or with their values. */
export function completions(text: string, fields: RunFields): string[] {
  const [, before = '', word = ''] = /^(.*?)(-?[^\s"]*)$/s.exec(text) ?? []
  const minus = word.startsWith('-') ? '-' : ''
  const begun = word.slice(minus.length)
  const [field, value] = begun.split(/:(.*)/s)
  const found =
    value === undefined ? containing(namesOf(fields), begun) : containing(valuesOf(field ?? '', fields), value)
  const start = `${before}${minus}${value === undefined ? '' : `${field}:`}`
  return found.slice(0, MAX_COMPLETIONS).map((candidate) => `${start}${candidate}`)
}

function containing(candidates: string[], begun: string): string[] {
  const lower = begun.toLowerCase()
  return candidates.filter((candidate) => candidate !== begun && candidate.toLowerCase().includes(lower))
}

function namesOf({ options, metrics }: RunFields): string[] {
  const facts = factNames.map((name) => (name === 'tags' ? 'tag' : name))
  const named = options.map((name) => columnName({ kind: 'option', name }))
  const fields = [...new Set([...facts, ...Object.keys(SHORT), ...named])]
  return [...fields.map((name) => `${name}:`), ...metrics]
}

function valuesOf(field: string, { tags, studies }: RunFields): string[] {
  switch (field) {
    case 'tag':
      return tags
    case 'study':
      return studies.map((study) => (/[\s",*]/.test(study) ? quoted(study) : study))
    case 'status':
      return STATUSES
    case 'archived':
      return ['yes', 'no', 'yes,no']
    case 'weights':
      return ['yes', 'no']
    default:
      return []
  }
}
