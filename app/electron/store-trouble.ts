import { type BrowserWindow, dialog } from 'electron'
import type { StoreEnding } from './store-process.ts'

/** The ways out of trouble with the store. */
export interface RecoveryActions {
  restart(): void
  openWorkspace(): void
  quit(): void
}

/** Shows the user that the store process has ended, and what can be done. */
export async function showStoreTrouble(
  window: BrowserWindow,
  ending: StoreEnding,
  ways: RecoveryActions,
): Promise<void> {
  const refused = 'refused' in ending
  const choices = [
    { label: refused ? 'Try Again' : 'Restart the Store', act: ways.restart },
    { label: 'Open Another Workspace…', act: ways.openWorkspace },
    { label: 'Quit', act: ways.quit },
  ]
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: refused ? 'The workspace cannot be opened.' : 'The store process ended unexpectedly.',
    detail: refused ? ending.refused : `Its exit code was ${ending.code}. What was recorded until then is kept.`,
    buttons: choices.map(({ label }) => label),
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  })
  choices[response]?.act()
}
