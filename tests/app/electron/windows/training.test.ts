import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followTraining } from '../../../../app/electron/windows/training.ts'
import { askMain } from '../ask-main.ts'
import { app, awake, BrowserWindow, dialog, ipcMain, powerSaveBlocker } from '../fake-electron.ts'

vi.mock('electron', () => import('../fake-electron.ts'))

let window: BrowserWindow
beforeEach(() => {
  vi.clearAllMocks()
  awake.clear()
  window = new BrowserWindow()
  followTraining(window.real)
})

const show = (fraction: unknown) => askMain('show-training', [fraction])
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
  ] as const)('asks while training, and quits once the page has ended it: %s', async (end, response) => {
    await show(0.5)
    choose(response)
    const [first, again, last] = [event(), event(), event()]
    window.emit('close', first)
    window.emit('close', again) // while it is asked
    expect([first, again].map(({ preventDefault }) => preventDefault.mock.calls.length)).toEqual([1, 1])
    await expect.poll(() => window.webContents.send.mock.calls).toEqual([['mixlab:end-training', end]])
    expect(dialog.showMessageBox).toHaveBeenCalledOnce()
    expect(app.quit).not.toHaveBeenCalled()
    await askMain('training-ended')
    await expect.poll(() => app.quit.mock.calls.length).toBe(1)
    window.emit('close', last)
    expect(last.preventDefault).not.toHaveBeenCalled()
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
