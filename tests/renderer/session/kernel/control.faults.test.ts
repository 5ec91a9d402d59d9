import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../../../engine/host.ts'
import type { RecordedEvent } from '../../../../engine/records/events.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import type { BackendReport, PageCalls } from '../../../../renderer/protocol/kernel.ts'
import { EMPTY_OUTPUT } from '../../../../renderer/protocol/output.ts'
import type { Kernel } from '../../../../renderer/session/kernel/client.ts'
import { restartKernel, runningKernel } from '../../../../renderer/session/kernel/control.ts'
import { HEARTBEAT_MS } from '../../../../renderer/session/kernel/heartbeat.ts'
import { useKernel } from '../../../../renderer/session/kernel/state.ts'
import { EMPTY, IDLE, setCellState, useNotebook } from '../../../../renderer/session/state.ts'
import { designOf } from '../../../designs.ts'

/** Kernels that start, answer and die when they are told to. */
interface Fake {
  page: PageCalls
  start(report: BackendReport): void
  refuse(reason: string): void
  die(reason: string): void
  pings: number
  killed: string | null
}

const kernels = vi.hoisted(() => [] as Fake[])

vi.mock('../../../../renderer/session/kernel/client.ts', () => ({
  startKernel(page: PageCalls, _: unknown, died: (reason: string) => void): Kernel {
    const { promise, resolve, reject } = Promise.withResolvers<BackendReport>()
    const fake: Fake = {
      ...{ page, start: resolve, die: died, pings: 0, killed: null },
      refuse: (reason) => reject(new Error(reason)),
    }
    kernels.push(fake)
    return {
      started: promise,
      evaluate: async () => ({ value: null, error: null, studies: [], interrupted: false }),
      interrupt: async () => {},
      answer: () => Promise.reject(new Error('not asked for')),
      explain: () => Promise.reject(new Error('not asked for')),
      ablate: () => Promise.reject(new Error('not asked for')),
      measure: () => Promise.reject(new Error('not asked for')),
      lookAtData: () => Promise.reject(new Error('not asked for')),
      examples: () => Promise.reject(new Error('not asked for')),
      conformance: async (name) => ({ case: name, passed: true, checks: 1, worst: null }),
      ping: async () => ({ tensors: ++fake.pings, bytes: 0 }),
      kill: (reason) => {
        fake.killed = reason
      },
    }
  },
}))

const report = (device: string): BackendReport => {
  const chosen = { name: 'cpu', device, software: false } as const
  return { chosen, options: [chosen] }
}

/** What came to the store. */
const recorded: [id: number, events: RecordedEvent[]][] = []
const stored: string[] = []
const begun: (string | null | undefined)[] = []
const host: Partial<Host> = {
  record: async (id, events) => ({ ms: 100 * recorded.push([id, events]), stop: false }),
  writeOutput: async (_, { cell }) => void stored.push(cell),
  beginRun: async ({ origin }) => ({ id: begun.push(origin?.notebook), epoch: 1 }),
}

beforeEach(async () => {
  vi.useFakeTimers()
  for (const list of [kernels, recorded, stored, begun]) list.length = 0
  useConnection.setState({ host: host as Host })
  useNotebook.setState({ ...EMPTY, name: 'n.ts' })
  void restartKernel()
  await vi.advanceTimersByTimeAsync(0)
  kernels.length = 0
})
afterEach(() => void vi.useRealTimers())

/** A kernel that has started. */
async function started(device = 'first'): Promise<Fake> {
  void restartKernel()
  const fake = kernels.at(-1) as Fake
  fake.start(report(device))
  await runningKernel()
  return fake
}

/** A cell whose study has a run in training, one that is done and one that waits. */
function train({ page }: Fake): void {
  setCellState('a', { ...IDLE, phase: 'running', output: EMPTY_OUTPUT, fingerprint: 'f' })
  const runs = ['k', 'done', 'waits'].map((key) => {
    return { key, study: 's', variant: key, seed: 1, spec: {}, code: '', done: null, resumesAt: null }
  })
  page.study('a', 's', [
    { type: 'plan', study: 's', metric: 'm', variants: ['k', 'done', 'waits'], design: designOf('s'), runs },
  ])
  page.study('a', 's', [
    { type: 'begin', key: 'k', id: 5, backend: 'cpu' },
    { type: 'begin', key: 'done', id: 6, backend: 'cpu' },
    { type: 'run', key: 'done', id: 6, event: { type: 'done', step: 9 }, ms: 5 },
    { type: 'run', key: 'k', id: 5, event: { type: 'step', step: 3, ms: 1 }, ms: 5 },
  ])
}
const statuses = () => useNotebook.getState().states.a?.output?.studies[0]?.runs.map(({ status }) => status)

describe('a kernel that dies', () => {
  it('leaves its run interrupted in the store and in the cell, and the next cell starts another', async () => {
    const first = await started()
    train(first)
    expect(stored).toEqual(['a', 'a']) // the plan, and the runs that have begun
    useKernel.setState({ evaluated: { a: 'f' } })
    first.die('out of memory')
    expect(recorded).toEqual([[5, [{ type: 'interrupted', step: 3 }]]])
    expect(statuses()).toEqual(['interrupted', 'done', 'waiting'])
    expect(stored).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(0)
    expect(useNotebook.getState().states.a?.output?.studies[0]?.runs[0]?.ms).toBe(100) // as the store counts
    expect(useKernel.getState()).toMatchObject({ phase: 'failed', error: 'out of memory' })
    expect(useKernel.getState().evaluated).toEqual({})
    void runningKernel()
    expect(kernels).toHaveLength(2)
    expect(useKernel.getState()).toMatchObject({ phase: 'starting', error: null })
  })

  it('is asked for signs of life no more', async () => {
    const first = await started()
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
    const asked = first.pings
    expect(asked).toBeGreaterThan(0)
    first.die('gone')
    await vi.advanceTimersByTimeAsync(10 * HEARTBEAT_MS)
    expect(first.pings).toBe(asked)
  })

  it('after another has taken its place changes nothing', async () => {
    const first = await started()
    const second = await started('second')
    expect(first.killed).toBe('the kernel was restarted')
    train(second)
    first.die('late')
    expect(useKernel.getState()).toMatchObject({ phase: 'ready', report: report('second'), error: null })
    expect(recorded).toEqual([])
  })

  it('while it starts says why, and its worker is ended', async () => {
    void restartKernel()
    kernels.at(-1)?.refuse('no such backend')
    await expect(runningKernel()).rejects.toThrow('no such backend')
    expect(kernels.at(-1)?.killed).toBe('no such backend')
    expect(useKernel.getState()).toMatchObject({ phase: 'failed', error: 'no such backend' })
  })
})

describe('a kernel that starts too late', () => {
  it('is not taken for the one in its place', async () => {
    void restartKernel()
    const late = kernels.at(-1) as Fake
    await started('second')
    late.start(report('first'))
    await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS)
    expect(useKernel.getState().report).toEqual(report('second'))
    expect(late.pings).toBe(0)
  })
})

it('a kernel that has lost its device is replaced, with its runs interrupted', async () => {
  const first = await started()
  train(first)
  first.page.lost('the graphics card is gone')
  expect(first.killed).toBe('the graphics card is gone')
  expect(kernels).toHaveLength(2)
  expect(recorded).toEqual([[5, [{ type: 'interrupted', step: 3 }]]])
})

it('signs of life tell the memory, and that the kernel answers again', async () => {
  await started()
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
  expect(useKernel.getState().memory.tensors).toBeGreaterThan(0)
  expect(useKernel.getState().silent).toBe(0)
})
