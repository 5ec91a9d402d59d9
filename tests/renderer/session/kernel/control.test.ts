import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../../../engine/host.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { RunStart, StudyEvent } from '../../../../engine/records/run.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import type { BackendReport, PageCalls } from '../../../../renderer/protocol/kernel.ts'
import { type CellOutputView, EMPTY_OUTPUT } from '../../../../renderer/protocol/output.ts'
import type { Kernel } from '../../../../renderer/session/kernel/client.ts'
import {
  abandonRuns,
  chooseBackend,
  interruptKernel,
  restartKernel,
  runningKernel,
} from '../../../../renderer/session/kernel/control.ts'
import { HEARTBEAT_MS, HEARTBEAT_TIMEOUT_MS } from '../../../../renderer/session/kernel/heartbeat.ts'
import { livePoints } from '../../../../renderer/session/kernel/points.ts'
import { NO_MEMORY, useKernel } from '../../../../renderer/session/kernel/state.ts'
import { EMPTY, IDLE, useNotebook } from '../../../../renderer/session/state.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'
import { designOf } from '../../../designs.ts'
import { runView, studyView } from '../../study/studies.ts'
import { UNASKED } from '../unasked.ts'

/** A kernel as the page starts it, with what the page was told and what it asked. */
interface Fake {
  page: PageCalls
  wanted: string | null
  killed: string[]
  interrupted: number
  die(reason: string): void
  refuse(error: Error): void
  accept(): void
}

const fakes: Fake[] = []
const FRESH = { refuse: null as Error | null, held: false, ms: null as number | null }
const settings = { ...FRESH, ping: async () => ({ tensors: 3, bytes: 12 }) }
const REPORT = { chosen: { name: 'cpu', device: 'test', software: false }, options: [] } as BackendReport

vi.mock('../../../../renderer/session/kernel/client.ts', () => ({
  startKernel(page: PageCalls, wanted: string | null, died: (reason: string) => void): Kernel {
    let refuse = (_: Error) => {}
    let accept = () => {}
    const started = new Promise<BackendReport>((resolve, reject) => {
      refuse = reject
      accept = () => resolve(REPORT)
      if (settings.refuse) reject(settings.refuse)
      else if (!settings.held) resolve(REPORT)
    })
    const fake: Fake = { page, wanted, killed: [], interrupted: 0, die: died, refuse, accept }
    fakes.push(fake)
    return {
      started,
      evaluate: () => Promise.reject(new Error('not here')),
      interrupt: async () => {
        fake.interrupted += 1
        throw new Error('gone meanwhile')
      },
      ...UNASKED,
      ping: () => settings.ping(),
      kill: (reason) => void fake.killed.push(reason),
    }
  },
}))

const recorded: [number, TrainEvent[]][] = []
const outputs: [string, string][] = []
const begun: RunStart[] = []
const stored: unknown[] = []
const answers: Record<string, unknown> = {}
const host = new Proxy({} as Record<string, unknown>, {
  get: (_, name: string) =>
    ({
      record: async (id: number, events: TrainEvent[]) => {
        recorded.push([id, events])
        if (settings.ms === null) throw new Error('the store is gone')
        return { ms: settings.ms, stop: false }
      },
      writeOutput: async (notebook: string, { cell }: { cell: string }) => void outputs.push([notebook, cell]),
      beginRun: async (run: RunStart) => {
        begun.push(run)
        return { id: 7, epoch: 1 }
      },
    })[name] ??
    (async (...given: unknown[]) => {
      answers[name] = given
      return name === 'listRuns' ? stored : name
    }),
}) as unknown as Host

const last = () => fakes.at(-1) as Fake
const output = (id: string) => useNotebook.getState().states[id]?.output as CellOutputView
const kernel = () => useKernel.getState()

/** Cells of the open notebook, with what they show. */
function show(states: Record<string, Partial<(typeof EMPTY)['states'][string]>>): void {
  const whole = Object.entries(states).map(([id, state]) => [id, { ...IDLE, fingerprint: 'f', ...state }])
  useNotebook.setState({ ...EMPTY, name: 'n.ts', states: Object.fromEntries(whole) })
}

beforeEach(async () => {
  vi.useFakeTimers()
  Object.assign(settings, { ...FRESH, ping: async () => ({ tensors: 3, bytes: 12 }) })
  useConnection.setState({ host })
  useNotebook.setState({ ...EMPTY, name: 'n.ts' })
  useNotices.setState({ notice: null })
  await restartKernel('a new test')
  for (const list of [fakes, recorded, outputs, begun, stored]) list.length = 0
  for (const name of Object.keys(answers)) delete answers[name]
})
afterEach(() => void vi.useRealTimers())

describe('the kernel', () => {
  it('is started by the first who asks, and once', async () => {
    const before = await runningKernel()
    await restartKernel()
    const [a, b] = await Promise.all([runningKernel(), runningKernel()])
    expect(a).toBe(b)
    expect(a).not.toBe(before)
    expect(fakes).toHaveLength(1)
    expect(kernel()).toMatchObject({ phase: 'ready', report: REPORT, error: null })
  })

  it('tells that it is starting, and on which backend', async () => {
    settings.held = true
    void chooseBackend('simd')
    expect(kernel()).toMatchObject({ phase: 'starting', wanted: 'simd', error: null })
    expect(last().wanted).toBe('simd')
    settings.held = false
    await chooseBackend(null)
    expect(fakes.map(({ killed }) => killed)).toEqual([['another backend was chosen'], []])
    expect(kernel()).toMatchObject({ phase: 'ready', wanted: null })
  })

  it('goes on where the backend is chosen on which it trains', async () => {
    await chooseBackend('simd')
    await chooseBackend('simd')
    expect(fakes.map(({ wanted }) => wanted)).toEqual(['simd'])
    await chooseBackend(null)
    useKernel.setState({ evaluated: { a: 'f' } })
    await chooseBackend('cpu') // what it had chosen, for want of others
    expect(fakes.map(({ wanted }) => wanted)).toEqual(['simd', null])
    expect(kernel()).toMatchObject({ wanted: 'cpu', evaluated: { a: 'f' } })
    await chooseBackend('cpu', 'low-power')
    expect(fakes.map(({ wanted }) => wanted)).toEqual(['simd', null, 'cpu'])
    await chooseBackend(null, 'high-performance')
  })

  it('that cannot start is killed, and says why; the next call starts another', async () => {
    settings.refuse = new Error('no such backend')
    await restartKernel()
    expect(last().killed).toEqual(['no such backend'])
    expect(kernel()).toMatchObject({ phase: 'failed', error: 'no such backend' })
    await expect(runningKernel()).rejects.toThrow('no such backend')
    settings.refuse = null
    await runningKernel()
    expect(fakes).toHaveLength(3)
    expect(kernel()).toMatchObject({ phase: 'ready', error: null })
  })

  it('that was replaced while it started changes nothing any more', async () => {
    settings.held = true
    void restartKernel()
    const old = last()
    settings.held = false
    await restartKernel()
    old.refuse(new Error('too late'))
    old.die('too late, too')
    await vi.advanceTimersByTimeAsync(0)
    expect(kernel()).toMatchObject({ phase: 'ready', error: null })
    const started = last()
    await restartKernel()
    show({ running: { phase: 'running', output: { ...EMPTY_OUTPUT, studies: [study()] } } })
    started.die('late')
    expect([kernel().phase, recorded]).toEqual(['ready', []])
  })

  it('that has started after it was replaced is not told of', async () => {
    settings.held = true
    void restartKernel()
    const old = last()
    void restartKernel()
    old.accept()
    await vi.advanceTimersByTimeAsync(0)
    expect(kernel()).toMatchObject({ phase: 'starting', error: null })
    last().accept()
    await vi.advanceTimersByTimeAsync(0)
    expect(kernel().phase).toBe('ready')
  })

  it('that ends by itself is forgotten, with what it held; a restart gives the reason', async () => {
    await restartKernel()
    useKernel.setState({ evaluated: { a: 'f' }, memory: { tensors: 1, bytes: 1 }, silent: 9 })
    last().die('out of memory')
    last().die('again')
    expect(kernel()).toMatchObject({ phase: 'failed', error: 'out of memory', evaluated: {}, memory: NO_MEMORY })
    expect(kernel().silent).toBe(0)
    await runningKernel()
    await restartKernel()
    expect(fakes.map(({ killed }) => killed)).toEqual([[], ['the kernel was restarted'], []])
  })

  it('is asked for signs of life until it is gone', async () => {
    const ping = vi.fn(settings.ping)
    settings.ping = ping
    await restartKernel()
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(kernel().memory).toEqual({ tensors: 3, bytes: 12 })
    settings.ping = () => new Promise(() => {})
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS + HEARTBEAT_TIMEOUT_MS)
    expect(kernel().silent).toBeGreaterThanOrEqual(HEARTBEAT_TIMEOUT_MS)
    last().die('dead')
    settings.ping = ping
    ping.mockClear()
    await vi.advanceTimersByTimeAsync(5 * HEARTBEAT_MS)
    expect(ping).not.toHaveBeenCalled()
  })
})

describe('interruptKernel', () => {
  it('asks the kernel, and says so while a cell runs', async () => {
    await restartKernel()
    await interruptKernel()
    expect(kernel().phase).toBe('ready')
    useKernel.setState({ phase: 'busy' })
    await interruptKernel()
    expect(kernel().phase).toBe('interrupting')
    expect(last().interrupted).toBe(2)
  })

  it('does nothing without a kernel', async () => {
    await restartKernel()
    last().die('dead')
    useKernel.setState({ phase: 'busy' })
    await interruptKernel()
    expect([kernel().phase, last().interrupted]).toEqual(['busy', 0])
  })
})

/** A study with a run in training, one that waits, and one that trains before the page knows its id. */
const study = () => ({
  ...studyView({ a: [0.5] }),
  runs: [
    runView(1, 'a', 1, 0.5, { status: 'running', step: 4 }),
    runView(2, 'a', 2, 0.5),
    runView(3, 'a', 3, 0.5, { status: 'running', id: null }),
  ],
})

describe('abandonRuns', () => {
  it('notes the runs of running cells as interrupted, in the store and on the page', () => {
    const shown: CellOutputView = { ...EMPTY_OUTPUT, studies: [study()] }
    show({
      running: { phase: 'running', output: shown },
      done: { phase: 'done' as never, output: shown },
      silent: { phase: 'running', output: null },
    })
    abandonRuns()
    expect(recorded).toEqual([[1, [{ type: 'interrupted', step: 4 }]]])
    expect(outputs).toEqual([['n.ts', 'running']])
    expect(output('running').ended).toBe('interrupted')
    expect(output('running').studies[0]?.runs.map(({ status }) => status)).toEqual([
      ...['interrupted', 'done', 'interrupted'],
    ])
    expect(output('done')).toBe(shown)
    expect(output('silent')).toBeNull()
  })

  it('shows the time that the store has of them, and is kept with the cell', async () => {
    settings.ms = 100
    await restartKernel()
    show({ running: { phase: 'running', output: { ...EMPTY_OUTPUT, studies: [study()] } } })
    last().die('dead')
    await vi.advanceTimersByTimeAsync(0)
    expect(output('running').studies[0]?.runs[0]?.ms).toBe(100)
    expect(outputs).toEqual([['n.ts', 'running']])
  })

  it('is done where the kernel is restarted, ends, or has lost its device', async () => {
    for (const end of [() => restartKernel(), () => last().die('dead'), () => last().page.lost('the device is gone')]) {
      await runningKernel()
      recorded.length = 0
      show({ running: { phase: 'running', output: { ...EMPTY_OUTPUT, studies: [study()] } } })
      await end()
      expect(recorded).toHaveLength(1)
    }
    expect(useNotices.getState().notice).toMatchObject({
      tone: 'bad',
      text: 'The graphics card was lost (the device is gone). Training continues on it, from the last checkpoint.',
    })
    await runningKernel()
    expect(fakes.at(-2)?.killed).toEqual(['the device is gone'])
  })
})

describe('a graphics card that is lost', () => {
  const text = () => useNotices.getState().notice?.text

  it('twice gives way to the processor, on which its runs continue', async () => {
    useKernel.setState({ wanted: null, losses: 0 })
    await restartKernel()
    last().page.lost('its process ended')
    expect(text()).toBe('The graphics card was lost (its process ended). The kernel was restarted.')
    await runningKernel()
    expect([kernel().wanted, answers.changeBackend]).toEqual([null, undefined])

    show({ running: { phase: 'running', output: { ...EMPTY_OUTPUT, studies: [study()] } } })
    last().page.lost('the graphics card was lost: its memory is full')
    expect(text()).toBe(
      'The graphics card was lost twice (its memory is full). Training continues on the processor (simd), and the runs say so, from the last checkpoint.',
    )
    await runningKernel()
    const ids = recorded.map(([id]) => id)
    expect(ids).toHaveLength(1)
    expect([last().wanted, answers.changeBackend]).toEqual(['simd', [ids, 'simd']])
  })

  it('counts anew where the user chooses', async () => {
    await chooseBackend('webgpu')
    last().page.lost('once')
    await chooseBackend('webgl')
    last().page.lost('again')
    await runningKernel()
    expect([kernel().wanted, kernel().losses]).toEqual(['webgl', 1])
  })
})

describe('what the kernel tells', () => {
  const page = async () => {
    await restartKernel()
    return last().page
  }

  it('is shown by the cell that it comes from', async () => {
    const calls = await page()
    calls.print('a', [{ level: 'log', text: 'one' }])
    calls.print('a', [{ level: 'log', text: 'two' }])
    calls.show('a', [{ kind: 'number', text: '1' }])
    calls.show('a', [{ kind: 'number', text: '2' }])
    expect(output('a').console.map(({ text }) => text)).toEqual(['one', 'two'])
    expect(output('a').displays.map(({ text }) => text)).toEqual(['1', '2'])
    calls.memory({ tensors: 8, bytes: 9 })
    expect(kernel().memory).toEqual({ tensors: 8, bytes: 9 })
  })
})

describe('the events of a study', () => {
  const plan = (study: string, id: string): StudyEvent => ({
    ...{ type: 'plan', study, metric: 'test/loss', variants: ['v'], design: designOf(study) },
    runs: [
      { key: id, study, variant: 'v', seed: 1, from: undefined, spec: {}, code: '', done: null, resumesAt: null },
    ] as never,
  })
  const of = (key: string, event: TrainEvent): StudyEvent => ({ type: 'run', key, id: 70, event, ms: 2000 })

  it('are shown study by study, stored at its plan and where a run begins, and their warnings printed', async () => {
    await restartKernel()
    const { page } = last()
    show({ cell: {} })
    page.study('cell', 'one', [of('k1', { type: 'step', step: 1, ms: 1 })])
    expect([output('cell').studies, outputs]).toEqual([[], []])
    page.study('cell', 'one', [plan('one', 'k1'), { type: 'warning', message: 'data are missing' }])
    expect(outputs).toHaveLength(1)
    page.study('cell', 'two', [plan('two', 'k2')])
    page.study('cell', 'one', [{ type: 'begin', key: 'k1', id: 70, backend: 'cpu' }])
    expect(outputs).toHaveLength(3)
    page.study('cell', 'one', [
      of('k1', { type: 'warning', step: 0, message: 'starts anew' }),
      of('k1', { type: 'metric', step: 1, name: 'test/loss', value: 2 }),
    ])
    expect(outputs).toHaveLength(3)
    expect(output('cell').console).toEqual([
      { level: 'warn', text: 'data are missing' },
      { level: 'warn', text: 'starts anew' },
    ])
    expect(output('cell').studies.map(({ study, runs }) => [study, runs[0]?.status, runs[0]?.metrics])).toEqual([
      ['one', 'running', { 'test/loss': expect.objectContaining({ last: 2 }) }],
      ['two', 'waiting', {}],
    ])
    expect(livePoints(70, 'test/loss')).toEqual({ steps: [1], values: [2] })
  })

  it('of a run that goes on are completed by what the store has', async () => {
    await restartKernel()
    const { page } = last()
    page.study('cell', 'one', [plan('one', 'k1')])
    page.study('cell', 'one', [of('k1', { type: 'start', steps: 9, parameters: 1, resumedAt: 0 })])
    page.study('cell', 'one', [of('k1', { type: 'step', step: 1, ms: 1 })])
    await vi.advanceTimersByTimeAsync(0)
    expect(answers.listRuns).toBeUndefined()
    page.study('cell', 'one', [of('k1', { type: 'start', steps: 9, parameters: 1, resumedAt: 4 })])
    await vi.advanceTimersByTimeAsync(0)
    expect(answers.listRuns).toEqual([{ keys: ['k1'] }])
    stored.push({ id: 70, key: 'k1', startedAt: 1000, endedAt: 3000, hasWeights: true, metrics: {} })
    page.study('cell', 'one', [
      { type: 'begin', key: 'k1', id: 70, backend: 'cpu' },
      of('k1', { type: 'start', steps: 9, parameters: 1, resumedAt: 4 }),
    ])
    await vi.advanceTimersByTimeAsync(0)
    expect(output('cell').studies[0]?.runs[0]).toMatchObject({ step: 4, ms: 2000, hasWeights: true })
    useConnection.setState({ host: null })
    page.study('cell', 'one', [of('k1', { type: 'start', steps: 9, parameters: 1, resumedAt: 4 })])
    await vi.advanceTimersByTimeAsync(0)
    expect(output('cell').studies).toHaveLength(1)
  })
})
