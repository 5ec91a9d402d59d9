import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { LONG } from '../long.ts'
import { PATIENCE } from '../patience.ts'
import { NOTEBOOK, takeovers, trainsOn, undisturbed, weights } from './training.ts'
import { cell, points, run, serve, sharedBrowser, status, value, workspaceWith } from './workbench.ts'

/** The page and the hidden window of the desktop application, as two windows of a browser. */

/**
 * Stands for the preload script and for main: ports to the host are sockets, the hidden window has opened the page. Ports
 * between the two tell that the document at the other end has gone, as those of Electron do and those of browsers do not.
 */
function bridge(token: string): void {
  const named = (other: Window): { mixlabDocument?: string } => other as object
  const name = String(Math.random())
  named(window).mixlabDocument = name
  /** The documents at the other ends of ports: of those on their way to this one, and of those that have come. */
  const coming: (string | undefined)[] = []
  const others = new Map<MessagePort, string | undefined>()
  const gone = new BroadcastChannel('gone')
  window.addEventListener('pagehide', () => gone.postMessage(name))
  gone.onmessage = ({ data }) => {
    for (const [port, other] of others) if (other === data) port.dispatchEvent(new Event('close'))
  }
  const given = (what: string, port: MessagePort) => window.postMessage(what, location.origin, [port])
  const between = (what: string, port: MessagePort, other?: string) => {
    coming.push(other)
    given(what, port)
  }
  const gives: Record<string, () => void> = {
    'mixlab:host?'() {
      const { port1, port2 } = new MessageChannel()
      const socket = new WebSocket(`ws://${location.host}/host`, ['mixlab', token])
      socket.binaryType = 'arraybuffer'
      socket.onopen = () => given('mixlab:host', port2)
      socket.onmessage = ({ data }) => port1.postMessage(new Uint8Array(data))
      socket.onclose = () => port1.close()
      port1.onmessage = ({ data }) => socket.send(data)
      port1.addEventListener('close', () => socket.close())
    },
    'mixlab:kernels?'() {
      const { port1, port2 } = new MessageChannel()
      opener.postMessage({ page: name }, location.origin, [port1])
      between('mixlab:kernels', port2, named(opener).mixlabDocument)
    },
  }
  const nothing = async () => null
  Object.assign(window, {
    mixlabDesktop: { saveFile: nothing, chooseFolder: nothing, showTraining() {}, trainingEnded() {} },
  })
  window.addEventListener('message', ({ data, source, ports: [port] }) => {
    if (source !== window && data.page && port) between('mixlab:page', port, data.page)
    if (source !== window) return
    if ((data === 'mixlab:kernels' || data === 'mixlab:page') && port) others.set(port, coming.shift())
    gives[data]?.()
  })
}

/** A workspace with one notebook, the hidden window, and a way to open the page. */
async function openDesktop(text: string) {
  const workspace = workspaceWith('test.ts', text)
  const { url } = await serve(workspace)
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1000, height: 700 } })
  context.setDefaultTimeout(PATIENCE)
  onTestFinished(() => context.close())
  await context.addInitScript(bridge, new URL(url).hash.replace('#token=', ''))
  const hidden = await context.newPage()
  const troubles: string[] = []
  hidden.on('pageerror', (error) => void troubles.push(String(error)))
  await hidden.goto(new URL('/kernels.html', url).href)
  const open = async (): Promise<Page> => {
    const [page] = await Promise.all([context.waitForEvent('page'), hidden.evaluate(() => void window.open('/'))])
    page.on('pageerror', (error) => void troubles.push(String(error)))
    await expect.poll(() => page.getByTestId('kernel').getAttribute('data-phase')).toMatch(/ready|busy/)
    return page
  }
  return { workspace, hidden, open, troubles }
}

const DICE = `// %% dice
export const dice = Math.random()

// %% shown
dice

`

const kernel = (page: Page) => page.getByTestId('kernel').getAttribute('data-phase')

it.runIf(LONG)(
  'kernels of a hidden window take no notice of reloads and closed pages, and are started again after a crash',
  async () => {
    const text = DICE + NOTEBOOK(300)
    const { workspace, hidden, open, troubles } = await openDesktop(text)
    let page = await open()
    await run(page, 'shown')
    await expect.poll(() => status(page, 'shown')).toBe('done')
    const thrown = await value(page, 'shown')
    await page.reload()
    await expect.poll(() => kernel(page)).toBe('ready')
    await run(page, 'shown')
    await expect.poll(() => value(page, 'shown')).toBe(thrown)

    await run(page, 'study')
    await trainsOn(workspace)
    await page.reload()
    await expect.poll(() => kernel(page)).toBe('busy')
    expect(await status(page, 'study')).toBe('running')
    await expect.poll(() => points(page)).toBeGreaterThan(0)
    await page.close()
    await trainsOn(workspace)
    page = await open()
    await expect.poll(() => status(page, 'study')).toBe('running')
    expect(new Set(takeovers(workspace))).toEqual(new Set([1]))

    await hidden.reload()
    await expect.poll(() => kernel(page)).toBe('failed')
    await expect.poll(() => status(page, 'study')).toBe('interrupted')
    await run(page, 'study')
    await expect.poll(() => status(page, 'study')).toBe('done')
    expect(await cell(page, 'study').getByTestId('progress').textContent()).toContain('4 of 4 runs')
    expect(weights(workspace)).toEqual(undisturbed(text))
    expect(troubles).toEqual([])
  },
)
