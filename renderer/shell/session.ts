import { messageOf } from '../../engine/errors.ts'
import { handlePageKey } from '../commands/keys.ts'
import { connectHost } from '../host/connectHost.ts'
import { desktop } from '../host/desktop.ts'
import { useConnection } from '../host/state.ts'
import { refreshNotebooks } from '../session/files/files.ts'
import { followRenames } from '../session/files/rename.ts'
import { journal, lookAtDisk, save } from '../session/files/save.ts'
import { abandonRuns, runningKernel } from '../session/kernel/control.ts'
import { outlivesPage } from '../session/kernel/source.ts'
import { persistsAny } from '../session/started/persistedCells.ts'
import { endTraining, pollStartedCells } from '../session/started/pollStartedCells.ts'
import { useNotebook } from '../session/state.ts'
import { notify } from '../ui/notices.ts'
import { showOutside } from './outside.ts'

const LOOK_EVERY = 2000 // ms; a notebook is a small file

/** Connects the page to its workspace. Evaluates nothing. */
export async function beginSession(): Promise<void> {
  if (!outlivesPage()) void runningKernel().catch(() => {}) // its state has the error; it starts while the page is drawn
  const host = await connectHost()
  try {
    const [description, notebooks] = await Promise.all([host.describe(), host.listNotebooks()])
    useConnection.setState({ host, description, notebooks })
    void pollStartedCells()
    showOutside()
  } catch (error) {
    notify({ tone: 'bad', text: messageOf(error) })
  }
  watchWindow()
}

/** The desktop application quits: ends training first, as the application asks. */
async function endForDesktop(message: unknown): Promise<void> {
  const [, end] = /^mixlab:end-training:(leave|stop)$/.exec(String(message)) ?? []
  if (end === undefined) return
  await endTraining(end === 'leave' ? 'leave' : 'stop')
  desktop()?.trainingEnded()
}

function watchWindow(): void {
  followRenames()
  window.addEventListener('message', ({ data, source }) => source === window && void endForDesktop(data))
  window.addEventListener(
    'keydown',
    (event) => {
      if (document.querySelector('dialog[open]') || !handlePageKey(event)) return
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true }, // before an editor takes them
  )
  window.addEventListener('focus', () => {
    lookAtDisk().catch(() => {}) // the connection banner shows the error
    void refreshNotebooks()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void save()
  })
  setInterval(() => {
    const { phase } = useConnection.getState()
    if (phase === 'open' && document.visibilityState === 'visible') lookAtDisk().catch(() => {})
  }, LOOK_EVERY)
  window.addEventListener('beforeunload', (event) => {
    void save()
    const { saving, conflict } = useNotebook.getState()
    if (saving === 'failed' || conflict || (persistsAny() && !outlivesPage())) event.preventDefault()
  })
  window.addEventListener('pagehide', () => {
    journal()
    if (!outlivesPage()) abandonRuns()
  })
  useConnection.subscribe(({ phase }, before) => {
    if (phase !== 'open' || before.phase === 'open') return
    void save()
  })
}
