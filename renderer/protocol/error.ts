import { MixlabError, messageOf } from '../../engine/errors.ts'
import type { CellError } from './output.ts'

/** What cell `id` shows of anything thrown. A path such as `<id>:14` gives the line. */
export function cellError(error: unknown, id: string): CellError {
  const message = messageOf(error) || 'an error without a message'
  if (!(error instanceof MixlabError)) return { code: 'notebook', path: '', message, line: null }
  const { code, path } = error
  const line = lineIn(id, path)
  return { code, path, line, message: line === null ? message : message.slice(path.length + 2) }
}

/** The line that starts a text such as `<id>:14: message`, or null. */
export function lineIn(id: string, text: string): number | null {
  const line = text.startsWith(`${id}:`) ? /^\d+/.exec(text.slice(id.length + 1)) : null
  return line ? Number(line[0]) : null
}
