import { messageOf } from '../../engine/errors.ts'
import { type Builtin, forkedFrom } from '../editor/builtins.ts'
import { language } from '../editor/language/client.ts'
import { pasteCell } from '../session/actions.ts'
import { analyzed } from '../session/analyzed.ts'
import type { PageCell } from '../session/edit.ts'
import { reveal } from '../session/reveal.ts'
import { useNotebook } from '../session/state.ts'
import { openDialog } from '../ui/dialog.ts'
import { notify } from '../ui/notices.ts'

/** Puts the source of a built-in block below the selected cell. Names that the notebook has already become others. */
export async function fork({ name, source }: Builtin): Promise<void> {
  await analyzed()
  const { name: notebook, facts } = useNotebook.getState()
  const taken = facts.cells.flatMap(({ defines }) => defines)
  try {
    const free = await language().freed(source, taken)
    const { name: open, cells, selected } = useNotebook.getState()
    if (open !== notebook) return
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur() // the new cell takes the focus
    const at = cells.findIndex(({ key }) => key === selected)
    pasteCell(at < 0 ? cells.length : at + 1, { kind: 'code', id: name, source: free })
    reveal()
  } catch (error) {
    notify({ tone: 'bad', text: `Not forked: ${messageOf(error)}` })
  }
}

/** Shows a forked cell beside the block that it comes from. */
export function compareFork({ id, source }: PageCell): void {
  if (forkedFrom(source)) openDialog('fork')
  else notify({ text: `'${id}' is no fork: its first line does not say '// Forked from the built-in ...'.` })
}
