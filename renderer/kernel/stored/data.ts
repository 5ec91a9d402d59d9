import type { FileSource } from '../../../engine/data/files.ts'
import type { LookAtData, openLook } from '../../../engine/datacard/look.ts'
import { isOfData } from '../../../engine/datacard/value.ts'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { ValueView } from '../../protocol/output.ts'

// what looks at data is loaded when it is first asked for
const loaded = () => import('../../../engine/datacard/look.ts')

/** Looks at data as `openLook` does. */
export function lookLater(...given: Parameters<typeof openLook>): LookAtData {
  let look: Promise<LookAtData> | null = null
  return async (...asked) => {
    look ??= loaded().then(({ openLook }) => openLook(...given))
    return (await look)(...asked)
  }
}

/** How data are shown below a cell: a data set, a task or a study, opened once the cell has ended; null for other values. */
export function dataView(value: unknown, files: FileSource): (() => Promise<ValueView>) | null {
  if (!isShownAsData(value)) return null
  return async () => {
    try {
      const body = await (await loaded()).bodyOf(value, files)
      const { name = '', kind = '' } = body?.card ?? {}
      return { kind: 'data set', text: `${name}: ${kind}`, ...(body && { body }) }
    } catch (error) {
      return { kind: 'data set', text: messageOf(error) + hint(error) }
    }
  }
}

/** Never throws, whatever getters a value has. */
function isShownAsData(value: unknown): boolean {
  try {
    return isOfData(value)
  } catch {
    return false
  }
}

/** Cells that only follow another one read no files. */
const hint = (error: unknown) =>
  error instanceof MixlabError && error.code === 'permission' ? '; run this cell to see its data' : ''
