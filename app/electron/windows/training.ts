import { app, type BrowserWindow, dialog, powerSaveBlocker, type WebContents } from 'electron'
import { endTraining, type TrainingEnd } from '../bridge.ts'
import { answer } from '../gate.ts'

/** How long, in ms, the windows may take to save a checkpoint; the last one is seconds old. */
const CHECKPOINT_TIMEOUT_MS = 10_000

const CHOICES = [
  { label: 'Quit, and Go On at the Next Start', end: 'leave' },
  { label: 'Stop the Training and Quit', end: 'stop' },
  { label: 'Cancel', end: null },
] as const

/**
 * Shows how far the windows say that training is on the taskbar, and keeps the machine awake meanwhile. A page that
 * crashes while something is in training is loaded again. Closing a window, or quitting, asks first then. Returns what
 * the window of the kernels, each time that there is a new one, is to be given to.
 */
export function followTraining(page: BrowserWindow): (kernels: BrowserWindow) => void {
  let kernels: BrowserWindow | null = null
  /** How far training is, 0 to 1, as those say where there is any. */
  const fractions = new Map<WebContents, number>()
  /** The windows that were asked to end their training and have not done so yet. */
  const ending = new Set<WebContents>()
  let ended = () => {}
  let blocker: number | null = null
  let sure = false
  let asking = false

  function show(contents: WebContents, fraction: number | null): void {
    if (fraction === null) fractions.delete(contents)
    else fractions.set(contents, fraction)
    const [any = null] = fractions.values()
    if (!page.isDestroyed()) page.setProgressBar(fractions.get(page.webContents) ?? any ?? -1)
    if (any !== null) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else letSleep()
  }

  function letSleep(): void {
    if (blocker !== null) powerSaveBlocker.stop(blocker)
    blocker = null
  }

  async function quit(): Promise<void> {
    if (asking) return
    asking = true
    const { response } = await dialog.showMessageBox(page, {
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
    await endAll(end)
    sure = true
    app.quit()
  }

  /** Resolves when all windows have ended their training, or take too long. */
  function endAll(end: TrainingEnd): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = resolve
    const timer = setTimeout(resolve, CHECKPOINT_TIMEOUT_MS)
    for (const { webContents } of [page, ...(kernels ? [kernels] : [])]) {
      ending.add(webContents)
      webContents.send(endTraining, end)
    }
    return promise.finally(() => clearTimeout(timer))
  }

  function noteEnded(contents: WebContents): void {
    ending.delete(contents)
    if (ending.size === 0) ended()
  }

  function askBeforeClosing(window: BrowserWindow): void {
    window.on('close', (event) => {
      if (blocker === null || sure) return
      event.preventDefault()
      void quit()
    })
  }

  /** What its page has said does not count any more. */
  function forget(contents: WebContents): void {
    show(contents, null)
    noteEnded(contents)
  }

  answer('show-training', ({ sender }, fraction) => {
    show(sender, typeof fraction === 'number' && fraction >= 0 ? fraction : null)
  })
  answer('training-ended', ({ sender }) => noteEnded(sender))
  askBeforeClosing(page)
  // In a browser the page asks; here this window does, and what is reloaded goes on.
  page.webContents.on('will-prevent-unload', (event) => {
    if (blocker !== null || sure) event.preventDefault()
  })
  page.webContents.on('render-process-gone', () => {
    const training = blocker !== null
    forget(page.webContents)
    if (training) page.webContents.reload()
  })
  page.on('closed', letSleep)

  return (opened) => {
    const { webContents } = opened
    kernels = opened
    askBeforeClosing(opened)
    opened.on('closed', () => {
      if (kernels === opened) kernels = null
      forget(webContents)
    })
  }
}
