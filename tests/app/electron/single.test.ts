import { beforeEach, expect, it, vi } from 'vitest'
import { isFirstInstance } from '../../../app/electron/single.ts'
import { app } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const launch = { workspace: '/w', notebook: null }
beforeEach(() => {
  vi.clearAllMocks()
  app.removeAllListeners()
})

it('goes on as the first', () => {
  expect(isFirstInstance(launch, () => {})).toBe(true)
  expect(app.quit).not.toHaveBeenCalled()
})

it('hands its launch to the first and quits as the second', () => {
  app.requestSingleInstanceLock.mockReturnValueOnce(false)
  expect(isFirstInstance(launch, () => {})).toBe(false)
  expect(app.requestSingleInstanceLock).toHaveBeenCalledWith(launch)
  expect(app.quit).toHaveBeenCalledOnce()
})

it('opens what a second one was started with, if it makes sense', () => {
  const openOther = vi.fn()
  isFirstInstance(launch, openOther)
  app.emit('second-instance', {}, [], '/', { workspace: '/other', notebook: null })
  app.emit('second-instance', {}, [], '/', { workspace: 7 })
  expect(openOther.mock.calls).toEqual([[{ workspace: '/other', notebook: null }]])
})
