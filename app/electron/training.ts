import { app, type BrowserWindow, dialog, powerSaveBlocker } from 'electron'
import { endTraining, type TrainingEnd } from './bridge.ts'
import { answer } from './gate.ts'

/** So long, in ms, the page may take to save a checkpoint; the last one is seconds old. */
const patience = 10_000

const CHOICES = [
  { label: 'Quit, and Go On at the Next Start', end: 'leave' },
  { label: 'Stop the Training and Quit', end: 'stop' },
  { label: 'Cancel', end: null },
] as const

/**
 * Shows how far the page says that training is on the taskbar, and keeps the machine awake meanwhile. A page that crashes
 * while it trains is loaded again, and goes on. Closing the window while training asks first.
 */
export function followTraining(window: BrowserWindow): void {
  let blocker: number | null = null
  let sure = false
  let asking = false

  function show(fraction: number | null): void {
    window.setProgressBar(fraction ?? -1)
    if (fraction !== null) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }

  async function close(): Promise<void> {
    if (asking) return
    asking = true
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: 'A study is in training.',
      detail: 'It can go on from where it is when Mixlab is started next.',
      buttons: CHOICES.map(({ label }) => label),
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    })
    asking = false
    const end = CHOICES[response]?.end
    if (!end) return
    await ended(end)
    sure = true
    app.quit()
  }

  /** Resolves when the page has ended its training, or takes too long. */
  function ended(end: TrainingEnd): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    done = resolve
    const timer = setTimeout(resolve, patience)
    window.webContents.send(endTraining, end)
    return promise.finally(() => clearTimeout(timer))
  }
  let done = () => {}

  answer('show-training', (_event, fraction) => show(typeof fraction === 'number' && fraction >= 0 ? fraction : null))
  answer('training-ended', () => done())
  window.on('close', (event) => {
    if (blocker === null || sure) return
    event.preventDefault()
    void close()
  })
  // In a browser the page asks; here this window does, and what is reloaded goes on.
  window.webContents.on('will-prevent-unload', (event) => {
    if (blocker !== null || sure) event.preventDefault()
  })
  window.webContents.on('render-process-gone', () => {
    if (blocker === null) return
    show(null)
    window.webContents.reload()
  })
  window.on('closed', () => blocker !== null && powerSaveBlocker.stop(blocker))
}
