import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hostForConnection } from '../../../../app/connection.ts'
import { type LocalHost, openHost } from '../../../../app/host.ts'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import type { EvaluateRequest, EvaluateResult, PageCalls } from '../../../../renderer/protocol/kernel.ts'
import type { Kernel } from '../../../../renderer/session/kernel/client.ts'
import { livePoints } from '../../../../renderer/session/kernel/points.ts'
import { useKernel } from '../../../../renderer/session/kernel/state.ts'
import { openNotebook } from '../../../../renderer/session/open.ts'
import { interrupt, leave, restart, runCells } from '../../../../renderer/session/run.ts'
import { leaveStarted, usePendingDecisions } from '../../../../renderer/session/started/pendingDecisions.ts'
import { persistedCells, persistsAny } from '../../../../renderer/session/started/persistedCells.ts'
import { pollOnce } from '../../../../renderer/session/started/pollStartedCells.ts'
import { EMPTY, useNotebook } from '../../../../renderer/session/state.ts'
import { begun, freshFolder, metricEvents, sampleRun } from '../../../app/store/samples.ts'
import { UNASKED } from '../unasked.ts'
import { fingerprint, key, planned, startedCell, TEXT } from './plannedStudy.ts'

/** Kernels that evaluate as told, until they are killed or interrupted. */
const fake = vi.hoisted(() => ({
  asked: [] as EvaluateRequest[],
  answer: async (_: EvaluateRequest, __: PageCalls): Promise<Partial<EvaluateResult>> => ({}),
  measure: async (_: EvaluateRequest, __: PageCalls): Promise<Partial<EvaluateResult>> => ({}),
}))

vi.mock('../../../../renderer/session/kernel/client.ts', () => ({
  startKernel(page: PageCalls): Kernel {
    const death = Promise.withResolvers<never>()
    const stop = Promise.withResolvers<Partial<EvaluateResult>>()
    death.promise.catch(() => {})
    const chosen = { name: 'cpu', device: 'test', software: false } as const
    return {
      started: Promise.resolve({ chosen, options: [chosen] }),
      async evaluate(request) {
        fake.asked.push(request)
        const answer = await Promise.race([fake.answer(request, page), death.promise, stop.promise])
        return { value: null, error: null, studies: [], interrupted: false, ...answer }
      },
      interrupt: async () => stop.resolve({ interrupted: true }),
      ...UNASKED,
      kill: (reason) => death.reject(new Error(reason)),
    }
  },
}))

let local: LocalHost
let other: ReturnType<typeof hostForConnection>
const state = () => useNotebook.getState().states.study
const asked = () => fake.asked.map(({ id, train, plans }) => [id, train, plans])
const byOther = async () => (await other.host.listLive()).started.map(({ cell, by }) => [cell, by])

beforeEach(async () => {
  useNotebook.setState(EMPTY)
  usePendingDecisions.setState({ cells: [] })
  local = openHost({ workspace: freshFolder() })
  other = hostForConnection(local)
  useConnection.setState({ host: hostForConnection(local).host })
  await local.writeNotebook('n.ts', TEXT, null)
  await local.writeNotebook('other.ts', TEXT, null)
  restart()
  await pollOnce() // no notebook is open
  fake.asked.length = 0
  fake.answer = () => new Promise(() => {})
})
afterEach(async () => {
  leave()
  useNotebook.setState(EMPTY)
  await pollOnce().catch(() => {})
  local.close()
})

/** Has the kernel of this page plan the study of a cell, once it is asked to train it. */
function plan(...more: Parameters<PageCalls['study']>[2]): void {
  fake.answer = async ({ train, id }, page) => {
    if (!train) return {}
    page.study(id, 's', [planned, ...more])
    return new Promise(() => {})
  }
}

describe('a cell that the user starts', () => {
  it('is kept with what it trains, and those that wait for it, until it ends or is stopped', async () => {
    await openNotebook('n.ts')
    plan()
    runCells(['study', 'after'])
    await expect.poll(async () => (await byOther()).length).toBe(2)
    const { started } = await local.listLive()
    expect(started.toSorted((a, b) => (a.cell < b.cell ? -1 : 1))).toMatchObject([
      { cell: 'after', plans: {} },
      { cell: 'study', plans: { s: [key] }, source: startedCell().source },
    ])
    expect(persistsAny()).toBe(true)
    interrupt()
    await expect.poll(byOther).toEqual([])
    expect(persistsAny()).toBe(false)
  })

  it('is not kept where there is nothing to train, nor is one that is no study', async () => {
    await openNotebook('n.ts')
    fake.answer = async ({ id }, page) => {
      page.study(id, 's', [{ ...planned, runs: [] }])
      return {}
    }
    runCells(['block', 'study'])
    await expect.poll(() => state()?.phase).toBe('done')
    expect(await byOther()).toEqual([])
  })

  it('is left to others when another notebook is opened, and goes on beside that', async () => {
    await openNotebook('n.ts')
    plan()
    runCells(['study'])
    await expect.poll(byOther).toEqual([['study', 'other']])
    leave()
    await openNotebook('other.ts')
    await expect.poll(byOther).toEqual([['study', null]])
    fake.asked.length = 0
    fake.answer = async () => ({ studies: ['s'] })
    await pollOnce()
    expect(fake.asked).toEqual([])
    await pollOnce()
    await expect.poll(asked).toEqual([
      ['block', false, { s: [key] }],
      ['study', true, { s: [key] }],
    ])
    await expect.poll(byOther).toEqual([])
    expect((await local.readOutputs('n.ts'))[1]).toMatchObject({ cell: 'study', output: { ended: 'done' } })
    expect(useNotebook.getState()).toMatchObject({ name: 'other.ts', states: {} })
  })
})

describe('a cell that nobody runs any more', () => {
  it('goes on without a click as soon as its notebook is open, with the runs it had', async () => {
    await other.host.keepStarted(startedCell())
    other.release()
    other = hostForConnection(local)
    await openNotebook('n.ts')
    plan()
    await pollOnce()
    await expect.poll(asked).toEqual([
      ['block', false, null],
      ['study', true, { s: [key] }],
    ])
    expect(await byOther()).toEqual([['study', 'other']])
  })

  it('is asked about where its code has changed, and evaluates nothing until the user has decided', async () => {
    await other.host.keepStarted(startedCell({ fingerprint: 'another', source: 'before' }))
    other.release()
    other = hostForConnection(local)
    await openNotebook('n.ts')
    for (let looks = 0; looks < 3; looks++) await pollOnce()
    expect(usePendingDecisions.getState().cells).toMatchObject([{ cell: 'study', source: 'before' }])
    expect([fake.asked, await byOther()]).toEqual([[], [['study', null]]])
    leaveStarted(startedCell())
    expect(usePendingDecisions.getState().cells).toEqual([])
    await expect.poll(byOther).toEqual([])
  })

  it('waits for a second look where the notebook was open before', async () => {
    await other.host.keepStarted(startedCell())
    await openNotebook('n.ts')
    await pollOnce()
    await other.host.freeStarted('n.ts', 'study')
    await pollOnce()
    expect(fake.asked).toEqual([])
    await pollOnce()
    await expect.poll(() => fake.asked.length).toBeGreaterThan(0)
  })

  it('is none where nobody started anything: opening a notebook evaluates nothing', async () => {
    await openNotebook('n.ts')
    for (let looks = 0; looks < 3; looks++) await pollOnce()
    expect(fake.asked).toEqual([])
  })

  it('stays with the page that runs it when the connection breaks', async () => {
    await openNotebook('n.ts')
    plan()
    runCells(['study'])
    await expect.poll(byOther).toEqual([['study', 'other']])
    const next = hostForConnection(local)
    await useConnection.getState().host?.freeStarted('n.ts', 'study')
    useConnection.setState({ host: next.host })
    await pollOnce()
    expect((await next.host.listLive()).started.map(({ by }) => by)).toEqual(['me'])
    expect(fake.asked).toHaveLength(2)
  })
})

describe('a cell that another page runs', () => {
  const output = {
    ...{ version: 1, ended: 'done', source: null, console: [], displays: [], value: null, error: null, query: null },
    ms: null,
    studies: [
      {
        ...{ study: 's', metric: 'loss', variants: ['gmlp'], blocks: {} },
        runs: [
          {
            ...{ key, variant: 'gmlp', seed: 0, id: null, status: 'waiting', cached: false, backend: '', step: 0 },
            ...{ steps: 0, ms: 0, error: null, hasWeights: false, metrics: {} },
          },
        ],
      },
    ],
  }

  async function trainThere(): Promise<number> {
    await other.host.keepStarted(startedCell())
    await other.host.writeOutput('n.ts', { cell: 'study', fingerprint, output })
    const id = begun(await other.host.beginRun(sampleRun()))
    await other.host.record(id, [{ type: 'start', steps: 9, parameters: 1 }, ...metricEvents('loss', 0, 3)])
    return id
  }
  const runs = () => state()?.output?.studies.flatMap((study) => study.runs.map(({ status, step }) => [status, step]))

  it('is shown with its curves as they grow, and as it ends, never as interrupted', async () => {
    const id = await trainThere()
    const seen = new Set<string | undefined>()
    const stop = useNotebook.subscribe(({ states }) => void seen.add(states.study?.phase))
    await openNotebook('n.ts')
    await pollOnce()
    expect(state()).toMatchObject({ phase: 'running', elsewhere: true })
    expect(runs()).toEqual([['running', 2]])
    expect(livePoints(id, 'loss')?.steps).toEqual([0, 1, 2])
    await other.host.record(id, metricEvents('loss', 3, 6))
    await pollOnce()
    expect(livePoints(id, 'loss')?.steps).toEqual([0, 1, 2, 3, 4, 5])
    await other.host.record(id, [...metricEvents('loss', 6, 8), { type: 'done', step: 9 }])
    await other.host.endStarted('n.ts', 'study')
    await pollOnce()
    expect(state()).toMatchObject({ phase: 'done', elsewhere: false })
    expect(runs()).toEqual([['done', 9]])
    expect(livePoints(id, 'loss')?.values).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5])
    expect([...seen]).not.toContain('interrupted')
    expect(fake.asked).toEqual([])
    stop()
  })

  it('is shown in a page that had the notebook open before', async () => {
    await openNotebook('n.ts')
    await pollOnce()
    await trainThere()
    await pollOnce()
    expect(state()).toMatchObject({ phase: 'running', elsewhere: true })
  })

  it('can be stopped here, which its owner learns', async () => {
    const id = await trainThere()
    await openNotebook('n.ts')
    await pollOnce()
    interrupt('study')
    await expect.poll(byOther).toEqual([])
    const answer = await other.host.record(id, [{ type: 'step', step: 3, ms: 1 }], { epoch: 1, batch: 1 })
    expect(answer.stop).toBe(true)
  })

  it('is stopped here where another page says so', async () => {
    await openNotebook('n.ts')
    plan()
    runCells(['study'])
    await expect.poll(byOther).toEqual([['study', 'other']])
    await pollOnce()
    await other.host.endStarted('n.ts', 'study')
    await pollOnce()
    await pollOnce()
    await expect.poll(() => state()?.phase).toBe('interrupted')
  })

  it('is not stopped by an answer from before it began, which comes after that the host knows it', async () => {
    await openNotebook('n.ts')
    plan()
    const earlier = await local.listLive()
    runCells(['study'])
    await expect.poll(() => persistedCells().length).toBe(1)
    const host = useConnection.getState().host as Host
    useConnection.setState({ host: { ...host, listLive: async () => earlier } })
    await pollOnce()
    useConnection.setState({ host })
    await pollOnce()
    expect(useKernel.getState().phase).toBe('busy') // else 'interrupting'
  })
})
