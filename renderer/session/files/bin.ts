import { messageOf } from '../../../engine/errors.ts'
import { host } from '../../host/state.ts'
import { notify } from '../../ui/notices.ts'
import { notebookHash, START_HASH } from '../../ui/route.ts'
import { leave } from '../run.ts'
import { EMPTY, useNotebook } from '../state.ts'
import { refreshNotebooks } from './files.ts'
import { save } from './save.ts'

/** Moves a notebook to the bin; what is typed in it goes along, and all of it can be had back. */
export async function deleteNotebook(name: string): Promise<void> {
  const { name: open, states } = useNotebook.getState()
  const shown = open === name
  if (shown && Object.values(states).some(({ phase }) => phase === 'running' || phase === 'queued')) {
    notify({ tone: 'bad', text: `'${name}' is running. Interrupt it before you delete it.` })
    return
  }
  try {
    if (shown) await save()
    const { id } = await host().deleteNotebook(name)
    if (useNotebook.getState().name === name) {
      leave()
      useNotebook.setState(EMPTY)
      location.hash = START_HASH
    }
    await refreshNotebooks()
    notify({ text: `Deleted '${name}'.`, action: { label: 'Undo', run: () => void restoreNotebook(id) } })
  } catch (error) {
    notify({ tone: 'bad', text: `Not deleted: ${messageOf(error)}` })
  }
}

/** Brings a notebook back from the bin and shows it. */
export async function restoreNotebook(id: string): Promise<void> {
  try {
    const name = await host().restoreNotebook(id)
    await refreshNotebooks()
    location.hash = notebookHash(name)
    if (!id.endsWith(` ${name}`)) notify({ text: `It is '${name}' now, for its name was taken.` })
  } catch (error) {
    notify({ tone: 'bad', text: `Not brought back: ${messageOf(error)}` })
  }
}
