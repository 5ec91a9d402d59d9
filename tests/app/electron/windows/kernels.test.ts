import { beforeEach, expect, it, vi } from 'vitest'
import { kernelsUrl, pageUrl } from '../../../../app/electron/protocol.ts'
import { createKernelsWindow, type KernelsWindow } from '../../../../app/electron/windows/kernels.ts'
import { type AskingFrame, askMain } from '../ask-main.ts'
import type { BrowserWindow, FakePort } from '../fake-electron.ts'
import { opened } from '../fake-electron.ts'

vi.mock('electron', () => import('../fake-electron.ts'))

const followed = vi.fn()
let kernels: KernelsWindow
beforeEach(() => {
  vi.clearAllMocks()
  opened.length = 0
  kernels = createKernelsWindow('/preload.cjs', followed)
})

/** A frame of a page, with the ports that it was given. */
function frame(url = pageUrl) {
  const given: [string, FakePort | undefined][] = []
  const postMessage = (channel: string, _: unknown, ports: unknown[]) =>
    void given.push([channel, ports[0] as FakePort | undefined])
  return { url, parent: null, postMessage, isDestroyed: () => false, given }
}

const ask = (page: AskingFrame) => askMain('connect-kernels', [], page)
const serve = (own: AskingFrame, window: BrowserWindow | undefined) =>
  askMain('serve-kernels', [], own, window?.webContents)

it('opens one hidden window in a sandbox, however many pages ask', async () => {
  kernels.open()
  await ask(frame())
  await ask(frame())
  expect(opened).toHaveLength(1)
  expect(opened[0]?.loadURL.mock.calls).toEqual([[kernelsUrl]])
  expect(opened[0]?.options).toMatchObject({ show: false, focusable: false, skipTaskbar: true })
  expect(opened[0]?.options.webPreferences).toEqual({
    ...{ preload: '/preload.cjs', sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true },
    backgroundThrottling: false,
  })
  expect(followed.mock.calls).toEqual([[opened[0]]])
  expect(opened[0]?.show).not.toHaveBeenCalled()
})

it('gives page and kernels the ends of a channel, as soon as the window can be spoken to', async () => {
  const [page, own] = [frame(), frame(kernelsUrl)]
  await ask(page)
  expect(page.given).toEqual([])
  await serve(own, opened[0])
  expect([page, own].map(({ given }) => given.map(([channel]) => channel))).toEqual([
    ['mixlab:kernels'],
    ['mixlab:page'],
  ])
  expect(page.given[0]?.[1]?.other).toBe(own.given[0]?.[1])
})

it('stays as it is when the page is loaded again or crashes, which then gets another port', async () => {
  const [page, again, own] = [frame(), frame(), frame(kernelsUrl)]
  await ask(page)
  await serve(own, opened[0])
  await ask(again)
  expect(opened).toHaveLength(1)
  expect(opened[0]?.destroy).not.toHaveBeenCalled()
  expect(again.given).toHaveLength(1)
  expect(own.given).toHaveLength(2)
})

it('gives nothing to a page that is gone, nor to another window that says that it has kernels', async () => {
  const [gone, own, other] = [{ ...frame(), isDestroyed: () => true }, frame(kernelsUrl), frame(kernelsUrl)]
  await ask(gone)
  await serve(other, undefined)
  await serve(own, opened[0])
  expect([gone.given, own.given, other.given]).toEqual([[], [], []])
})

it('is another one after a crash, for the next page that asks, and at once for one that waits', async () => {
  await ask(frame())
  await serve(frame(kernelsUrl), opened[0])
  opened[0]?.webContents.emit('render-process-gone', {}, { reason: 'oom' })
  await expect.poll(() => opened[0]?.destroyed).toBe(true)
  expect(opened).toHaveLength(1)
  const [page, own] = [frame(), frame(kernelsUrl)]
  await ask(page)
  expect(opened).toHaveLength(2)
  opened[1]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
  expect(opened).toHaveLength(3)
  await expect.poll(() => opened[1]?.destroyed).toBe(true)
  await serve(own, opened[2])
  expect([page.given.length, own.given.length, followed.mock.calls.length]).toEqual([1, 1, 3])
})

it('ends with the application, and begins anew with another workspace', async () => {
  kernels.open()
  kernels.renew()
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, false])
  kernels.close()
  kernels.close()
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true])
})
