import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { findBrowser } from '../browser.ts'

/** A page in a browser that nobody watches: while nothing is asked, the browser works for the page alone. */
export interface BarePage {
  /** The value of an expression, or of its promise. Throws what it throws. */
  evaluate<T>(expression: string): Promise<T>
  /** What the page answers to a method of the DevTools protocol. */
  send<T>(method: string, params?: object): Promise<T>
  /** The processes of the browser: what each is, and its number. */
  processes(): Promise<{ type: string; id: number }[]>
  close(): Promise<void>
}

/** As the page itself is tested, but without what Playwright adds: it is told of each frame of a socket, which takes time. */
const FLAGS = ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking']
const MORE = ['--disable-component-update', '--disable-sync', '--remote-debugging-port=0']

interface Answer {
  id?: number
  result?: unknown
  error?: { message: string }
}

/** Opens an address in a new browser, whose profile is deleted with it. */
export async function openBare(url: string, { width, height }: { width: number; height: number }): Promise<BarePage> {
  const program = findBrowser()
  if (!program) throw new Error('no Chromium or Chrome found; MIXLAB_BROWSER names one')
  const profile = mkdtempSync(join(tmpdir(), 'mixlab-browser-'))
  const args = [...FLAGS, ...MORE, `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const address = await new Promise<string>((found, fail) => {
    createInterface(child.stderr).on('line', (line) => {
      const [, said] = /DevTools listening on (\S+)/.exec(line) ?? []
      if (said) found(said)
    })
    child.once('exit', (code) => fail(new Error(`the browser ended with ${code}`)))
  })
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data)) as Answer
    const asked = waiting.get(id ?? 0)
    waiting.delete(id ?? 0)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result)
  })
  let last = 0
  const ask = <T>(method: string, params: object = {}, sessionId?: string): Promise<T> => {
    last += 1
    const asked = Promise.withResolvers<unknown>()
    waiting.set(last, asked)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return asked.promise as Promise<T>
  }
  const { targetInfos } = await ask<{ targetInfos: { targetId: string; type: string }[] }>('Target.getTargets')
  const { targetId } = targetInfos.find(({ type }) => type === 'page') ?? {}
  const { sessionId } = await ask<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  await ask('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }, sessionId)
  await ask('Page.navigate', { url }, sessionId)
  return {
    async evaluate<T>(expression: string): Promise<T> {
      const asked = { expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails: thrown } = await ask<{
        result: { value: T }
        exceptionDetails?: { text: string; exception?: { description?: string } }
      }>('Runtime.evaluate', asked, sessionId)
      if (thrown) throw new Error(thrown.exception?.description ?? thrown.text)
      return result.value
    },
    send: <T>(method: string, params: object = {}) => ask<T>(method, params, sessionId),
    processes: async () =>
      (await ask<{ processInfo: { type: string; id: number }[] }>('SystemInfo.getProcessInfo')).processInfo,
    async close() {
      const ended = once(child, 'exit')
      await ask('Browser.close').catch(() => {})
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
