import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Problem } from '../protocol.ts'
import type { Files } from './files.ts'

const SEVERITIES = ['warning', 'error', 'hint', 'hint'] as const

const BEYOND = { severity: 'hint', message: 'too long or too deeply nested for completions and types' } as const

/**
 * What TypeScript finds wrong with a cell. Nothing in one with a syntax error: the analysis of the notebook reports
 * that, and types are then only guessed.
 */
export function problems(files: Files, key: string): Problem[] {
  const beyond = files.beyond().get(key)
  if (beyond !== undefined) return [{ at: { key, start: 0, end: Math.min(1, beyond.length) }, ...BEYOND }]
  const cell = files.cell(key)
  if (!cell || files.service.getSyntacticDiagnostics(cell.path).length > 0) return []
  return files.service.getSemanticDiagnostics(cell.path).flatMap(({ start = 0, length = 0, category, messageText }) => {
    const at = files.placeOf(cell.path, { start, length })
    const message = ts.flattenDiagnosticMessageText(messageText, '\n')
    return at ? { at, severity: SEVERITIES[category] ?? 'error', message } : []
  })
}
