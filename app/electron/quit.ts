import { app } from 'electron'
import type { StoreProcess } from './store-process.ts'

/** Quits with the last window, and not before the store is closed. */
export function stopBeforeQuit(store: StoreProcess): void {
  let stopped = false
  app.on('window-all-closed', () => app.quit())
  app.on('will-quit', (event) => {
    if (stopped) return
    event.preventDefault()
    void store.stop().then(() => {
      stopped = true
      app.quit()
    })
  })
}
