import { beforeEach, expect, it, vi } from 'vitest'
import { stopBeforeQuit } from '../../../app/electron/quit.ts'
import { createStoreProcess } from '../../../app/electron/store-process.ts'
import { app, forked } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

beforeEach(() => {
  vi.clearAllMocks()
  app.removeAllListeners()
})

it('quits with the last window, after the store has closed', async () => {
  const store = createStoreProcess(
    { store: '/store.js', query: '/query.js' },
    { workspace: '/w', notebook: null },
    () => {},
  )
  store.newPort()
  stopBeforeQuit(store)
  app.emit('window-all-closed')
  expect(app.quit).toHaveBeenCalledOnce()

  const first = { preventDefault: vi.fn() }
  app.emit('will-quit', first)
  expect(first.preventDefault).toHaveBeenCalledOnce()
  expect(forked[0]?.postMessage).toHaveBeenLastCalledWith('stop')

  forked[0]?.emit('exit', 0)
  await expect.poll(() => app.quit).toHaveBeenCalledTimes(2)
  const second = { preventDefault: vi.fn() }
  app.emit('will-quit', second)
  expect(second.preventDefault).not.toHaveBeenCalled()
})
