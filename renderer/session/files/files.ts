import { messageOf } from '../../../engine/errors.ts'
import { host, useConnection } from '../../host/state.ts'
import { notify } from '../../ui/notices.ts'
import { notebookHash } from '../../ui/route.ts'
import { useNotebook } from '../state.ts'
import { save } from './save.ts'

const ONE_EMPTY_CELL = '// %%\n'

/** Starts a notebook, which can be named later, and shows it. It is a file from the first moment. */
export async function newNotebook(): Promise<void> {
  await addNotebook('untitled', () => ONE_EMPTY_CELL)
}

/** Writes a notebook into the workspace, under a name or with the next number that is free, and shows it. */
export async function addNotebook(
  base: string,
  textOf: () => string | Promise<string>,
  failed = 'No notebook was made',
): Promise<void> {
  try {
    const text = await textOf()
    const name = freeName(base, await host().listNotebooks())
    await host().writeNotebook(name, text, null)
    await refreshNotebooks()
    location.hash = notebookHash(name)
  } catch (error) {
    notify({ tone: 'bad', text: `${failed}: ${messageOf(error)}` })
  }
}

/** Names the open notebook; `.ts` may be left out. Returns whether it has that name now. */
export async function renameOpenNotebook(text: string): Promise<boolean> {
  const from = useNotebook.getState().name
  const to = text.endsWith('.ts') ? text : `${text}.ts`
  if (!from || from === to) return from === to
  try {
    await save()
    await host().renameNotebook(from, to)
    if (useNotebook.getState().name === from) {
      useNotebook.setState({ name: to })
      history.replaceState(null, '', notebookHash(to))
    }
    await refreshNotebooks()
    return true
  } catch (error) {
    notify({ tone: 'bad', text: `Not renamed: ${messageOf(error)}` })
    return false
  }
}

/** Looks which notebooks the workspace has. */
export async function refreshNotebooks(): Promise<void> {
  const notebooks = await useConnection
    .getState()
    .host?.listNotebooks()
    .catch(() => null)
  if (notebooks) useConnection.setState({ notebooks })
}

/** `untitled.ts`, or with the first number that is free. */
export function freeName(base: string, taken: string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.ts` : `${base}-${number}.ts`
    if (!taken.includes(name)) return name
  }
}
