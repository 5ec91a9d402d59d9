import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followTraining } from '../../../../app/electron/windows/training.ts'
import { askMain } from '../ask-main.ts'
import { app, awake, BrowserWindow, dialog, ipcMain, powerSaveBlocker } from '../fake-electron.ts'

vi.mock('electron', () => import('../fake-electron.ts'))

let window: BrowserWindow
let kernels: BrowserWindow
beforeEach(() => {
  vi.clearAllMocks()
  awake.clear()
  window = new BrowserWindow()
  kernels = new BrowserWindow()
  followTraining(window.real)(kernels.real)
})

const show = (fraction: unknown, by = window) => askMain('show-training', [fraction], undefined, by.webContents)
const end = (by: BrowserWindow) => askMain('training-ended', [], undefined, by.webContents)
const event = () => ({ preventDefault: vi.fn() })
/** Answers the next question with the button at a place. */
const choose = (response: number) => dialog.showMessageBox.mockResolvedValueOnce({ response, checkboxChecked: false })

describe('training in the window', () => {
  it('is shown on the taskbar and keeps the machine awake until it ends', async () => {
    await show(0)
    await show(0.5)
    expect(window.setProgressBar.mock.calls).toEqual([[0], [0.5]])
    expect(powerSaveBlocker.start.mock.calls).toEqual([['prevent-app-suspension']])
    expect(awake.size).toBe(1)
    await show(null)
    expect(window.setProgressBar).toHaveBeenLastCalledWith(-1)
    expect(awake.size).toBe(0)
    await show('much')
    expect(awake.size).toBe(0)
  })

  it('goes on in a page that is loaded again after a crash; without training nothing happens', async () => {
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(window.webContents.reload).not.toHaveBeenCalled()
    await show(0.5)
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(window.webContents.reload).toHaveBeenCalledOnce()
    expect(awake.size).toBe(0)
  })

  it('counts in either window: one that only the kernels know of keeps the machine awake, too', async () => {
    await show(0.25, kernels)
    await show(0.5)
    await show(0.75, kernels)
    expect(window.setProgressBar.mock.calls).toEqual([[0.25], [0.5], [0.5]])
    await show(null) // the page shows another notebook
    expect(window.setProgressBar).toHaveBeenLastCalledWith(0.75)
    expect([awake.size, powerSaveBlocker.start.mock.calls.length]).toEqual([1, 1])
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect([window.webContents.reload.mock.calls.length, awake.size]).toEqual([1, 1])
    kernels.destroy()
    expect(awake.size).toBe(0)
  })

  it('lets the machine sleep when the window has gone', async () => {
    await show(0.5)
    window.emit('closed')
    expect(awake.size).toBe(0)
  })

  it('does not keep a page from being loaded again', async () => {
    const [idle, training] = [event(), event()]
    window.webContents.emit('will-prevent-unload', idle)
    await show(0.5)
    window.webContents.emit('will-prevent-unload', training)
    expect(idle.preventDefault).not.toHaveBeenCalled()
    expect(training.preventDefault).toHaveBeenCalledOnce()
  })
})

describe('closing the window', () => {
  it('asks nothing where nothing is in training', () => {
    const closing = event()
    window.emit('close', closing)
    expect(closing.preventDefault).not.toHaveBeenCalled()
  })

  it.each([
    ['leave', 0],
    ['stop', 1],
  ] as const)('asks while training, and quits once page and kernels have ended it: %s', async (how, response) => {
    await show(0.5)
    choose(response)
    const [first, again, last] = [event(), event(), event()]
    window.emit('close', first)
    window.emit('close', again) // while it is asked
    expect([first, again].map(({ preventDefault }) => preventDefault.mock.calls.length)).toEqual([1, 1])
    for (const { webContents } of [window, kernels]) {
      await expect.poll(() => webContents.send.mock.calls).toEqual([['mixlab:end-training', how]])
    }
    expect(dialog.showMessageBox).toHaveBeenCalledOnce()
    expect(app.quit).not.toHaveBeenCalled()
    await end(window)
    await end(window)
    expect(app.quit).not.toHaveBeenCalled()
    await end(kernels)
    await expect.poll(() => app.quit.mock.calls.length).toBe(1)
    for (const each of [window, kernels]) each.emit('close', last)
    expect(last.preventDefault).not.toHaveBeenCalled()
  })

  it('is asked once where both windows are closed, as when the application quits', async () => {
    await show(0.5, kernels)
    choose(2)
    const closing = [window, kernels].map((each) => {
      const own = event()
      each.emit('close', own)
      return own.preventDefault.mock.calls.length
    })
    expect(closing).toEqual([1, 1])
    await expect.poll(() => dialog.showMessageBox.mock.calls.length).toBe(1)
  })

  it('does not wait for kernels that are gone', async () => {
    await show(0.5)
    choose(1)
    window.emit('close', event())
    await expect.poll(() => kernels.webContents.send.mock.calls.length).toBe(1)
    await end(window)
    kernels.destroy()
    await expect.poll(() => app.quit.mock.calls.length).toBe(1)
  })

  it('is not done where the user changes their mind', async () => {
    await show(0.5)
    choose(2)
    window.emit('close', event())
    await expect.poll(() => dialog.showMessageBox.mock.calls.length).toBe(1)
    expect([app.quit.mock.calls, window.webContents.send.mock.calls]).toEqual([[], []])
    choose(2)
    await expect
      .poll(() => {
        window.emit('close', event())
        return dialog.showMessageBox.mock.calls.length
      })
      .toBe(2)
  })

  it('does not wait for a page that does not answer', async () => {
    vi.useFakeTimers()
    await show(0.5)
    choose(0)
    window.emit('close', event())
    await vi.advanceTimersByTimeAsync(10_000)
    expect(app.quit).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })
})

it('main answers for training on two channels', () => {
  expect(ipcMain.handle.mock.calls.map(([channel]) => channel)).toEqual(['show-training', 'training-ended'])
})
