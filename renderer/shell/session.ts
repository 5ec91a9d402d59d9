import { messageOf } from '../../engine/errors.ts'
import { connectHost } from '../host/connectHost.ts'
import { useConnection } from '../host/state.ts'
import { abandonRuns, runningKernel } from '../kernel/control.ts'
import { openNotebook } from '../notebook/open.ts'
import { leave } from '../notebook/run.ts'
import { lookAtDisk, save } from '../notebook/save.ts'
import { useNotebook } from '../notebook/state.ts'
import { notify } from './notices.ts'
import { notebookHash, type Route } from './route.ts'

/** Connects the page to its workspace. Evaluates nothing. */
export async function beginSession(): Promise<void> {
  const host = await connectHost()
  try {
    const [description, notebooks] = await Promise.all([host.describe(), host.listNotebooks()])
    useConnection.setState({ host, description, notebooks })
    void runningKernel().catch(() => {}) // its state tells
  } catch (error) {
    notify({ tone: 'bad', text: messageOf(error) })
  }
  watchWindow()
}

/** Opens the notebook that the address names; without one, that of the workspace. */
export async function showRoute(route: Route): Promise<void> {
  if (route.view !== 'notebook') return
  const { description, notebooks } = useConnection.getState()
  const name = route.name ?? description?.notebook ?? notebooks[0]
  if (!name) return
  if (route.name === null) history.replaceState(null, '', notebookHash(name))
  const open = useNotebook.getState().name
  if (open === name) return
  await save()
  if (open !== null) leave()
  await openNotebook(name)
}

function watchWindow(): void {
  window.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    void save()
  })
  window.addEventListener('focus', () => {
    lookAtDisk().catch(() => {}) // the banner of the connection tells
    void refreshNotebooks()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void save()
  })
  window.addEventListener('beforeunload', (event) => {
    void save()
    const { saving, conflict } = useNotebook.getState()
    if (saving === 'failed' || conflict) event.preventDefault()
  })
  window.addEventListener('pagehide', abandonRuns)
}

async function refreshNotebooks(): Promise<void> {
  const { host } = useConnection.getState()
  const notebooks = await host?.listNotebooks().catch(() => null)
  if (notebooks) useConnection.setState({ notebooks })
}
