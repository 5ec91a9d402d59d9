import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { hostForConnection } from '../../../../app/connection.ts'
import { type LocalHost, openHost } from '../../../../app/host.ts'
import { openReaders, startReader } from '../../../../app/store/index.ts'
import { connect, type Packed, unpack } from '../../../../engine/channel.ts'
import type { Host } from '../../../../engine/host.ts'
import { pair } from '../../../engine/pair.ts'
import { begun, freshWorkspace, metricEvents, sampleRun } from '../samples.ts'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

/** Up to `most` threads that run slow.ts. */
function slowReaders(most: number) {
  const released = new Int32Array(new SharedArrayBuffer(4))
  const started: Worker[] = []
  const readers = openReaders(() => {
    const thread = new Worker(join(import.meta.dirname, 'slow.ts'), { workerData: released.buffer })
    started.push(thread)
    return thread
  }, most)
  const release = () => {
    Atomics.store(released, 0, 1)
    Atomics.notify(released, 0)
  }
  closes.push(release, readers.close)
  const ask = async (...given: string[]) => answerOf(await readers.ask('baselines', given))
  return { ask, release, started, close: readers.close }
}

const answerOf = (packed: Packed | null) => packed && (unpack(packed.bytes) as [name: string, thread: number])

describe('threads that answer questions', () => {
  it('are one as long as each question waits for the one before', async () => {
    const { ask, started } = slowReaders(2)
    const [, first] = (await ask()) ?? []
    expect(await ask()).toEqual(['baselines', first])
    expect(started).toHaveLength(1)
  })

  it('answer beside one that is slow, and what waits for a thread in its order', async () => {
    const { ask, release, started } = slowReaders(2)
    const order: string[] = []
    const noted = (name: string) => ask(name).then(() => order.push(name))
    const slow = noted('slow')
    await Promise.all([noted('a'), noted('b'), noted('c')])
    expect(order).toEqual(['a', 'b', 'c'])
    expect(started).toHaveLength(2)
    release()
    await slow
  })

  it('leave a question to who asks where one ends meanwhile, and others take its place', async () => {
    const { ask, started } = slowReaders(1)
    const [ended, next] = await Promise.all([ask('end'), ask()])
    expect(ended).toBeNull()
    expect(next).toEqual(['baselines', expect.any(Number)])
    expect(started).toHaveLength(2)
  })

  it('refuse what is asked of them once they are closed', async () => {
    const { ask, close, started } = slowReaders(1)
    await ask() // the thread has started
    const [asked, waiting] = [ask('slow'), ask()].map((answer) => answer.catch((error: Error) => error.message))
    await Promise.resolve() // it is asked
    close()
    expect(await asked).toMatch('the thread that reads the store has ended')
    expect(await waiting).toMatch('is closed')
    await expect(ask()).rejects.toThrow('is closed')
    expect(started).toHaveLength(1)
  })
})

/** A host as a page has it, at the other end of a channel. */
function pageOf(host: LocalHost): Host {
  const [near, far] = pair()
  connect(hostForConnection(host).host, far)
  return connect<Host>({}, near).remote
}

/** A host whose questions threads answer. */
function threaded(start = startReader): LocalHost {
  const host = openHost({ workspace: freshWorkspace(), startReader: start })
  closes.push(host.close)
  return host
}

describe('a host with such threads', () => {
  it('sees what was written before it is asked, whether that was waited for or not', async () => {
    const host = threaded()
    const page = pageOf(host)
    const id = begun(await page.beginRun(sampleRun()))
    for (let from = 0; from < 200; from += 10) {
      const recorded = page.record(id, metricEvents('loss', from, from + 10))
      const [series] = await page.readSeries([id], 'loss', 1e6)
      expect(series?.steps).toHaveLength(from + 10)
      await recorded
    }
    void page.tagRuns([id], ['good'], [])
    expect(await page.queryRuns({ filter: 'tag:good', sort: [], columns: [], offset: 0, limit: 5 })).toMatchObject({
      total: 1,
    })
  })

  it('throws what a question throws', async () => {
    const page = pageOf(threaded())
    await expect(page.showRun('7')).rejects.toMatchObject({ code: 'store', message: expect.stringMatching('7') })
    await expect(page.readCurves({} as never)).rejects.toMatchObject({
      code: 'option',
      path: expect.stringMatching(/^readCurves/),
    })
  })

  it('answers itself where no thread can be started', async () => {
    const host = threaded(() => new Worker('throw new Error("no")', { eval: true }))
    const id = begun(await host.beginRun(sampleRun()))
    expect(await host.listRuns()).toMatchObject([{ id }])
    expect(await pageOf(host).listRuns()).toMatchObject([{ id }])
  })
})
