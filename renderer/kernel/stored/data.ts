import type { FileSource } from '../../../engine/data/files.ts'
import { bodyOf } from '../../../engine/datacard/look.ts'
import { subjectOf } from '../../../engine/datacard/subject.ts'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { ValueView } from '../../protocol/output.ts'
import { viewOf } from '../view.ts'

/** How data are shown below a cell: a data set, a task or a study, opened once the cell has ended; null for other values. */
export function dataView(value: unknown, files: FileSource): (() => Promise<ValueView>) | null {
  try {
    if (!subjectOf(value)) return null
  } catch (error) {
    return async () => ({ ...viewOf(value), text: messageOf(error) }) // its options are wrong
  }
  return async () => {
    try {
      const body = await bodyOf(value, files)
      const { name = '', kind = '' } = body?.card ?? {}
      return { kind: 'data set', text: `${name}: ${kind}`, ...(body && { body }) }
    } catch (error) {
      return { kind: 'data set', text: messageOf(error) + hint(error) }
    }
  }
}

/** Cells that only follow another one read no files. */
const hint = (error: unknown) =>
  error instanceof MixlabError && error.code === 'permission' ? '; run this cell to see its data' : ''
