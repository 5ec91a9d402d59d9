import { messageOf } from '../../../engine/errors.ts'
import { host } from '../../host/state.ts'
import { renamedTo } from '../../protocol/study.ts'
import { notify } from '../../ui/notices.ts'
import { notebookHash, parseRoute } from '../../ui/route.ts'
import { useKernel } from '../kernel/state.ts'
import { type CellState, useNotebook } from '../state.ts'
import { refreshNotebooks } from './files.ts'
import { dropEntry } from './journal.ts'
import { comeBack, save } from './save.ts'

/** A notebook that has another name now. */
interface Rename {
  from: string
  to: string
}

/** What the tabs of a browser tell each other. Code of cells has no such channels. */
const CHANNEL = 'mixlab.renamed'

/** Names the open notebook; `.ts` may be left out. Other tabs follow. Returns whether it has that name now. */
export async function renameOpenNotebook(text: string): Promise<boolean> {
  const from = useNotebook.getState().name
  const to = text.endsWith('.ts') ? text : `${text}.ts`
  if (!from || from === to) return from === to
  try {
    await save()
    await host().renameNotebook(from, to)
    tell({ from, to })
    await follow({ from, to })
    await refreshNotebooks()
    return true
  } catch (error) {
    notify({ tone: 'bad', text: `Not renamed: ${messageOf(error)}` })
    return false
  }
}

/** Shows the open notebook under its new name when another tab renames it. Returns how to end that. */
export function followRenames(): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = async ({ data }: MessageEvent<Rename>) => {
    await refreshNotebooks()
    await follow(data)
  }
  return () => channel.close()
}

function tell(rename: Rename): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(rename)
  channel.close()
}

/** Shows the notebook that is open under its new name, and saves there what is not saved. */
async function follow({ from, to }: Rename): Promise<void> {
  const { name, fileDeleted } = useNotebook.getState()
  if (name !== from) return
  useNotebook.setState(({ states }) => ({ name: to, states: renamed(states, { from, to }) }))
  await useKernel.getState().kept?.rename(to)
  if (parseRoute(location.hash).view === 'notebook') history.replaceState(null, '', notebookHash(to))
  dropEntry(from)
  if (fileDeleted) comeBack()
  else await save()
}

/** The states of cells whose runs are those of a notebook that has another name now. */
function renamed(states: Record<string, CellState>, { from, to }: Rename): Record<string, CellState> {
  const entries = Object.entries(states).map(([id, state]): [string, CellState] => {
    const { output } = state
    if (!output) return [id, state]
    return [id, { ...state, output: { ...output, studies: output.studies.map((each) => renamedTo(each, from, to)) } }]
  })
  return Object.fromEntries(entries)
}
