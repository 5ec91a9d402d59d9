import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hostForConnection } from '../../../app/connection.ts'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { type Calls, callByName, callsOf } from '../../../engine/call.ts'
import { hostCalls, kernelCalls } from '../../../engine/host.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { createKernels, type Kernels } from '../../../renderer/hidden/kernels.ts'
import { portLink } from '../../../renderer/host/link.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import type { EvaluateRequest, EvaluateResult, KernelListener } from '../../../renderer/protocol/kernel.ts'
import type { CellOutputView } from '../../../renderer/protocol/output.ts'
import { renameOpenNotebook } from '../../../renderer/session/files/rename.ts'
import type { Kernel, KernelPlace } from '../../../renderer/session/kernel/client.ts'
import { runningKernel } from '../../../renderer/session/kernel/control.ts'
import { livePoints } from '../../../renderer/session/kernel/points.ts'
import { useKernel } from '../../../renderer/session/kernel/state.ts'
import { openNotebook } from '../../../renderer/session/open.ts'
import { hasReattached, interrupt, leave, reattach, restart, runCells } from '../../../renderer/session/run.ts'
import { pollOnce } from '../../../renderer/session/started/pollStartedCells.ts'
import { EMPTY, useNotebook } from '../../../renderer/session/state.ts'
import { begun, freshFolder, metricEvents, sampleRun } from '../../app/store/samples.ts'
import { key, planned, startedCell, TEXT } from '../session/started/plannedStudy.ts'
import { UNASKED } from '../session/unasked.ts'

/** What a kernel may ask of the host and of its session. */
type Page = Calls<typeof kernelCalls> & KernelListener

/** A worker as the hidden window starts it. */
interface Worker {
  page: Page
  wanted: string | null
  asked: [id: string, train: boolean][]
  /** Answers what it evaluates. */
  answer(result?: Partial<EvaluateResult>): void
  die(reason: string): void
  killed: string | null
}
const workers: Worker[] = []

vi.mock('../../../renderer/session/kernel/client.ts', () => ({
  startKernel(ear: KernelListener, wanted: string | null, died: (reason: string) => void, place: KernelPlace): Kernel {
    const page: Page = { ...callsOf(kernelCalls, (name, given) => callByName(place.host(), name, given)), ...ear }
    let answered = Promise.withResolvers<Partial<EvaluateResult>>()
    const chosen = { name: 'simd', device: 'test', software: false } as const
    const own: Worker = {
      ...{ page, wanted, asked: [], killed: null },
      answer(result = {}) {
        answered.resolve(result)
        answered = Promise.withResolvers()
      },
      die: died,
    }
    workers.push(own)
    return {
      started: Promise.resolve({ chosen, options: [chosen] }),
      async evaluate({ id, train }: EvaluateRequest) {
        own.asked.push([id, train])
        const result = train && id !== 'block' ? await answered.promise : {}
        return { value: null, error: null, studies: train ? ['s'] : [], interrupted: false, ...result }
      },
      interrupt: async () => own.answer({ interrupted: true }),
      ...UNASKED,
      kill(reason) {
        own.killed = reason
        answered.reject(new Error(reason))
        answered.promise.catch(() => {})
      },
    }
  },
}))

const of = (id: number, event: Extract<StudyEvent, { type: 'run' }>['event']): StudyEvent => ({
  ...{ type: 'run', key, id, event, ms: 1 },
})
let local: LocalHost
let kernels: Kernels
let own: ReturnType<typeof hostForConnection>
/** Of each page its end of the way to the kernels. */
const ports: MessagePort[] = []

/** The hidden window, whose kernels each have a connection to the host. */
function openWindow(): void {
  kernels = createKernels(async (signal) => {
    const { host, release } = hostForConnection(local)
    signal.addEventListener('abort', release)
    return host
  })
}

/** A page on a notebook. */
async function openPage(name = 'n.ts'): Promise<void> {
  own = hostForConnection(local)
  useConnection.setState({ host: own.host })
  useKernel.setState({ wanted: null })
  leave()
  await openNotebook(name)
  void reattach()
  await expect
    .poll(() => [hasReattached(), useKernel.getState().phase])
    .toEqual([true, expect.stringMatching(/ready|busy/)])
}

/** The page is gone from one moment to the other, with all it knew. */
async function crash(): Promise<void> {
  ports.at(-1)?.close()
  own.release()
  leave()
  useNotebook.setState(EMPTY)
  await expect.poll(() => useKernel.getState().running).toBeNull()
}

beforeEach(async () => {
  workers.length = 0
  ports.length = 0
  const target = Object.assign(new EventTarget(), {
    postMessage() {
      const { port1, port2 } = new MessageChannel()
      kernels.serve(portLink(port1))
      ports.push(port2)
      const given = { data: 'mixlab:kernels', source: target, ports: [port2] }
      queueMicrotask(() => target.dispatchEvent(Object.assign(new Event('message'), given)))
    },
  })
  vi.stubGlobal('window', target)
  vi.stubGlobal('location', { origin: 'mixlab://page', hash: '' })
  vi.stubGlobal('history', { replaceState() {} })
  vi.stubGlobal('mixlabDesktop', {})
  local = openHost({ workspace: freshFolder() })
  for (const name of ['n.ts', 'other.ts']) await local.writeNotebook(name, TEXT, null)
  openWindow()
})
afterEach(async () => {
  await crash()
  for (const { killed, die } of workers) if (killed === null) die('the test is over')
  local.close()
  vi.unstubAllGlobals()
})

const state = () => useNotebook.getState().states.study
const started = async () => (await local.listLive()).started.map(({ notebook, cell, by }) => [notebook, cell, by])
const stored = async (notebook = 'n.ts') =>
  (await local.readOutputs(notebook)).find(({ cell }) => cell === 'study')?.output as CellOutputView | undefined
const last = () => workers.at(-1) as Worker

/** The kernel tells losses of a run. */
const tellLoss = (id: number, from: number, to: number) =>
  last().page.study(
    'study',
    's',
    metricEvents('loss', from, to).map((event) => of(id, event)),
  )

/** The page runs the study, whose run is in training at step 3; returns its id. */
async function train(): Promise<number> {
  runCells(['study'])
  await expect.poll(() => workers.at(-1)?.asked.at(-1)).toEqual(['study', true])
  const { page } = last()
  const id = begun(await page.beginRun(sampleRun()))
  await page.record(id, [{ type: 'start', steps: 9, parameters: 1 }, ...metricEvents('loss', 0, 3)])
  page.print('study', [{ level: 'log', text: 'begins' }])
  page.study('study', 's', [planned, { type: 'begin', key, id, backend: 'simd' }])
  page.study('study', 's', [of(id, { type: 'start', steps: 9, parameters: 1 })])
  tellLoss(id, 0, 3)
  await expect.poll(started).toEqual([['n.ts', 'study', 'other']])
  await expect.poll(() => livePoints(id, 'loss')?.steps).toEqual([0, 1, 2])
  return id
}

describe('a kernel of the hidden window', () => {
  it('goes on when its page is gone, and the next page shows it as if it had started it', async () => {
    await openPage()
    const id = await train()
    await crash()
    const { page } = last()
    tellLoss(id, 3, 5)
    await openPage()
    await pollOnce()
    expect(workers).toHaveLength(1)
    expect(state()).toMatchObject({ phase: 'running', elsewhere: false, output: { console: [{ text: 'begins' }] } })
    expect(useKernel.getState()).toMatchObject({ phase: 'busy', running: { id: 'study' } })
    expect(state()?.output?.studies[0]?.runs).toMatchObject([{ id, status: 'running' }])
    expect(livePoints(id, 'loss')?.steps).toEqual([0, 1, 2, 3, 4])
    tellLoss(id, 5, 7)
    await expect.poll(() => livePoints(id, 'loss')?.steps.length).toBe(7)
    expect((await local.showRuns([id]))[0]?.status).toBe('running')

    page.study('study', 's', [of(id, { type: 'done', step: 9 })])
    last().answer()
    await expect.poll(() => state()?.phase).toBe('done')
    await expect.poll(started).toEqual([])
    expect(useKernel.getState()).toMatchObject({ phase: 'ready', running: null })
    expect(await stored()).toMatchObject({ ended: 'done', studies: [{ runs: [{ status: 'done' }] }] })
  })

  it('stores what comes of a cell that ends while no page is there', async () => {
    await openPage()
    const id = await train()
    await crash()
    const failed = { type: 'failed', step: 3, message: 'diverged' } as const
    await last().page.record(id, [failed])
    last().page.study('study', 's', [of(id, failed)])
    last().answer()
    await expect.poll(started).toEqual([])
    expect(await stored()).toMatchObject({ ended: 'failed', console: [{ text: 'begins' }], studies: [{ study: 's' }] })
    await openPage()
    expect(state()).toMatchObject({ phase: 'failed' })
  })

  it('holds the values of its cells for the next page', async () => {
    await openPage()
    runCells(['block'])
    await expect.poll(() => useNotebook.getState().states.block?.phase).toBe('done')
    await crash()
    await openPage()
    await train()
    expect(last().asked).toEqual([
      ['block', true],
      ['study', true],
    ])
  })

  it('is stopped by a page that came later', async () => {
    await openPage()
    await train()
    await crash()
    await openPage()
    await expect.poll(() => state()?.phase).toBe('running')
    interrupt('study')
    await expect.poll(() => state()?.phase).toBe('interrupted')
    await expect.poll(started).toEqual([])
  })

  it('trains on while the page shows another notebook; one that does nothing ends then', async () => {
    await openPage()
    const id = await train()
    await openPage('other.ts')
    await openPage('n.ts')
    await expect.poll(() => state()?.phase).toBe('running')
    await expect.poll(() => workers.map(({ killed }) => killed)).toEqual([null, 'nobody uses it'])
    expect((await local.showRuns([id]))[0]?.status).toBe('running')
  })

  it('trains on where the page leaves its notebook before it has joined it', async () => {
    await openPage()
    await train()
    await openPage('other.ts')
    useNotebook.setState({ ...EMPTY, name: 'n.ts' })
    leave()
    const joining = runningKernel()
    leave() // another notebook is opened at once
    await expect(joining).rejects.toThrow('the notebook was closed')
    await openPage('n.ts')
    await expect.poll(() => state()?.phase).toBe('running')
    expect(workers[0]?.killed).toBeNull()
  })

  it('is kept for the next start by a page that comes after its plan', async () => {
    await openPage()
    runCells(['study'])
    await expect.poll(() => workers.at(-1)?.asked.at(-1)).toEqual(['study', true])
    await crash()
    last().page.study('study', 's', [planned])
    await openPage()
    await expect.poll(started).toEqual([['n.ts', 'study', 'other']])
    await crash()
    await kernels.stop('leave')
    expect(await started()).toEqual([['n.ts', 'study', null]])
  })

  it('stores under the name that its notebook has by then', async () => {
    await openPage()
    await train()
    expect(await renameOpenNotebook('renamed')).toBe(true)
    await crash()
    last().answer()
    await expect.poll(() => stored('renamed.ts')).toMatchObject({ ended: 'done' })
    await expect.poll(started).toEqual([])
    expect(await stored()).toBeUndefined()
  })

  it('may ask the host for what every kernel may, and for nothing else', async () => {
    await openPage()
    const others = Object.keys(hostCalls).filter((name) => !Object.hasOwn(kernelCalls, name))
    expect(others.filter((name) => Object.hasOwn(last().page, name))).toEqual([])
  })
})

describe('the end of a kernel', () => {
  it('by a restart is followed by another one, and its run is interrupted', async () => {
    await openPage()
    const id = await train()
    restart()
    await expect.poll(() => workers.map(({ killed }) => killed)).toEqual(['the kernel was restarted', null])
    await expect.poll(async () => (await local.showRuns([id]))[0]?.status).toBe('interrupted')
    await expect.poll(() => state()?.phase).toBe('interrupted')
    await expect.poll(started).toEqual([])
  })

  it('by itself is told to the page, and the next cell starts another one', async () => {
    await openPage()
    await train()
    last().die('out of memory')
    await expect.poll(() => state()?.phase).toBe('interrupted')
    expect(useKernel.getState()).toMatchObject({ phase: 'failed', error: 'the kernel stopped: out of memory' })
    await expect.poll(started).toEqual([])
    await runningKernel()
    expect(workers).toHaveLength(2)
    expect(useKernel.getState()).toMatchObject({ phase: 'ready', error: null })
  })

  it('with its window is told, too', async () => {
    await openPage()
    await train()
    for (const port of ports) port.dispatchEvent(new Event('close'))
    openWindow()
    await expect.poll(() => state()?.phase).toBe('interrupted')
    expect(useKernel.getState().error).toBe('the kernel stopped: the window that it lives in has ended')
    await expect.poll(started).toEqual([])
    expect((await local.listLive()).running).toHaveLength(1) // the host has not heard of it
    await pollOnce()
    expect(state()).toMatchObject({ phase: 'interrupted', elsewhere: false })
    await runningKernel()
    expect(workers).toHaveLength(2)
  })

  it('by the loss of its device while no page is there fails its cell', async () => {
    await openPage()
    const id = await train()
    await crash()
    last().page.lost('the card is gone')
    await expect.poll(started).toEqual([])
    expect(await stored()).toMatchObject({ error: { message: 'the card is gone' } })
    await expect.poll(async () => (await local.showRuns([id]))[0]?.status).toBe('interrupted')
  })
})

describe('a cell that nobody runs', () => {
  beforeEach(async () => {
    const before = hostForConnection(local)
    await before.host.keepStarted(startedCell({ notebook: 'other.ts', backend: 'simd' }))
    before.release()
  })

  it('goes on after two looks, on its backend, and a page that opens its notebook sees it live', async () => {
    await kernels.look()
    expect(workers).toEqual([])
    await kernels.look()
    await expect
      .poll(() => workers[0]?.asked)
      .toEqual([
        ['block', false],
        ['study', true],
      ])
    expect([workers[0]?.wanted, await started()]).toEqual(['simd', [['other.ts', 'study', 'other']]])
    last().page.study('study', 's', [planned])
    await expect.poll(() => kernels.fraction()).toBe(0)
    await openPage('other.ts')
    await expect.poll(() => state()?.phase).toBe('running')
    expect([state()?.elsewhere, useKernel.getState().wanted, workers.length]).toEqual([false, 'simd', 1])
    last().answer()
    await expect.poll(() => state()?.phase).toBe('done')
    await expect.poll(started).toEqual([])
    expect(kernels.fraction()).toBeNull()
  })

  it('is left to the page that shows its notebook', async () => {
    await openPage('other.ts')
    for (let looks = 0; looks < 3; looks++) await kernels.look()
    expect(workers.map(({ asked }) => asked)).toEqual([[]])
    await pollOnce()
    await expect.poll(() => last().asked.at(-1)).toEqual(['study', true])
  })

  it('stays as it is where its code has changed', async () => {
    const { revision } = await local.readNotebook('other.ts')
    await local.writeNotebook('other.ts', TEXT.replace('+ 1', '+ 2'), revision)
    for (let looks = 0; looks < 3; looks++) await kernels.look()
    expect([workers, await started()]).toEqual([[], [['other.ts', 'study', null]]])
  })
})

describe('quitting', () => {
  it.each([
    ['leave', [['n.ts', 'study', null]]],
    ['stop', []],
  ] as const)('ends what trains at a checkpoint, page or not: %s', async (end, left) => {
    await openPage()
    await train()
    await crash()
    await kernels.stop(end)
    expect(await started()).toEqual(left)
    expect(await stored()).toMatchObject({ ended: 'interrupted' })
    for (let looks = 0; looks < 3; looks++) await kernels.look()
    expect(last().asked).toHaveLength(2)
  })
})
