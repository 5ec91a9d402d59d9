import { app } from 'electron'
import { asLaunch, type Launch } from './launch.ts'

/** Keeps one app a user. False if there is one already; that one gets the launch, and this process ends. */
export function isFirstInstance(launch: Launch, openOther: (launch: Launch) => void): boolean {
  if (!app.requestSingleInstanceLock(launch)) {
    app.quit()
    return false
  }
  // the second argument, the other's command line, is reordered by Chromium
  app.on('second-instance', (_event, _args, _folder, data) => {
    const other = asLaunch(data)
    if (other) openOther(other)
  })
  return true
}
