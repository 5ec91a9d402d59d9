import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import type { Kernel } from '../../../renderer/kernel/client.ts'
import type { EvaluateRequest, EvaluateResult, PageCalls } from '../../../renderer/kernel/protocol.ts'
import { useKernel } from '../../../renderer/kernel/state.ts'
import { showText } from '../../../renderer/notebook/open.ts'
import { interrupt, restart, runAll, runCells } from '../../../renderer/notebook/run.ts'
import { EMPTY, useNotebook } from '../../../renderer/notebook/state.ts'

/** A kernel that answers as told. */
const fake = vi.hoisted(() => ({
  asked: [] as string[],
  started: 0,
  answer: async (_: EvaluateRequest, __: PageCalls): Promise<Partial<EvaluateResult>> => ({}),
}))

vi.mock('../../../renderer/kernel/client.ts', () => ({
  async startKernel(page: PageCalls): Promise<Kernel> {
    fake.started++
    let die = (_: Error) => {}
    const death = new Promise<never>((_, reject) => {
      die = reject
    })
    death.catch(() => {})
    const chosen = { name: 'cpu', device: 'test', software: false } as const
    return {
      report: { chosen, options: [chosen] },
      async evaluate(request) {
        fake.asked.push(`${request.train ? 'train' : 'evaluate'} ${request.id}`)
        const answer = await Promise.race([fake.answer(request, page), death])
        return { value: null, error: null, studies: [], interrupted: false, ...answer }
      },
      interrupt: async () => {},
      kill: (reason) => die(new Error(reason)),
    }
  },
}))

const written: string[] = []
const host = {
  writeOutput: async (_: string, { cell }: { cell: string }) => {
    written.push(cell)
  },
} as unknown as Host

const NOTEBOOK = `// %% block
export const block = 1

// %% study
export const study = block + 1

// %% use
export const use = study + 1
`
const error = { code: 'notebook' as const, path: '', message: 'wrong', line: 1 }
const phase = (id: string) => useNotebook.getState().states[id]?.phase
const settled = (...ids: string[]) =>
  vi.waitFor(() => expect(ids.map(phase).filter((each) => each === 'queued' || each === 'running')).toEqual([]))
const edit = (from: string, to: string) => showText(NOTEBOOK.replace(from, to))

beforeEach(() => {
  restart()
  fake.asked.length = 0
  written.length = 0
  fake.answer = async () => ({})
  useConnection.setState({ host })
  useNotebook.setState({ ...EMPTY, name: 'test.ts' })
  showText(NOTEBOOK)
})

describe('running cells', () => {
  it('evaluates first what a cell depends on, without training', async () => {
    runCells(['study'])
    await settled('block', 'study')
    expect(fake.asked).toEqual(['evaluate block', 'train study'])
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['done', 'done', undefined])
    expect(written).toEqual(['block', 'study'])
  })

  it('does not evaluate again what the kernel holds, until it changes', async () => {
    runCells(['study'])
    await settled('study')
    runCells(['study'])
    await settled('study')
    expect(fake.asked).toEqual(['evaluate block', 'train study', 'train study'])
    edit('block = 1', 'block = 2')
    runCells(['study'])
    await settled('study')
    expect(fake.asked.slice(3)).toEqual(['evaluate block', 'train study'])
  })

  it('runs all code cells once, in order', async () => {
    runAll()
    await settled('block', 'study', 'use')
    expect(fake.asked).toEqual(['train block', 'train study', 'train use'])
  })

  it('does not train a study that a cell only depends on, and leaves its output alone', async () => {
    fake.answer = async ({ id }) => (id === 'study' ? { studies: ['study'] } : {})
    runCells(['use'])
    await settled('use')
    expect(fake.asked).toEqual(['evaluate block', 'evaluate study', 'train use'])
    expect([phase('study'), phase('use')]).toEqual(['idle', 'done'])
  })

  it('shows the error of a cell at that cell, and does not run what depends on it', async () => {
    fake.answer = async ({ id }) => (id === 'block' ? { error } : {})
    runAll()
    await settled('block', 'study', 'use')
    expect(fake.asked).toEqual(['train block'])
    const message = (id: string) => useNotebook.getState().states[id]?.output?.error?.message
    expect(message('block')).toBe('wrong')
    expect(message('study')).toBe("depends on 'block', which failed")
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['failed', 'failed', 'failed'])
  })

  it('forgets what waits when it is interrupted', async () => {
    let finish = () => {}
    fake.answer = () => new Promise((resolve) => (finish = () => resolve({ interrupted: true })))
    runAll()
    await vi.waitFor(() => expect(fake.asked).toEqual(['train block']))
    interrupt()
    finish()
    await settled('block')
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['interrupted', 'idle', 'idle'])
    expect(fake.asked).toEqual(['train block'])
  })

  it('ends the cell in progress with its kernel, and evaluates anew in the next', async () => {
    runCells(['block'])
    await settled('block')
    fake.answer = () => new Promise(() => {})
    const before = fake.started
    runCells(['study'])
    await vi.waitFor(() => expect(phase('study')).toBe('running'))
    restart()
    await settled('study')
    expect(phase('study')).toBe('interrupted')
    expect(fake.started).toBe(before + 1)
    expect(useKernel.getState().evaluated).toEqual({})
    fake.answer = async () => ({})
    runCells(['study'])
    await settled('study')
    expect(fake.asked.slice(-2)).toEqual(['evaluate block', 'train study'])
  })

  it('keeps what a cell prints, and drops what it printed the time before', async () => {
    fake.answer = async ({ id }, page) => {
      page.print(id, [{ level: 'log', text: 'hello' }])
      return {}
    }
    for (let time = 0; time < 2; time++) {
      runCells(['block'])
      await settled('block')
    }
    expect(useNotebook.getState().states.block?.output?.console).toEqual([{ level: 'log', text: 'hello' }])
  })

  it('notes in the store that the runs of a killed kernel do not go on', async () => {
    const recorded: unknown[] = []
    const record = async (...call: unknown[]) => void recorded.push(call)
    useConnection.setState({ host: { ...host, record } as unknown as Host })
    const run = { key: 'k', study: 's', variant: 'a', seed: 1, spec: {}, code: '', done: null, resumesAt: null }
    fake.answer = async ({ id }, page) => {
      page.study(id, 's', [
        { type: 'plan', study: 's', metric: 'm', variants: ['a'], runs: [run] },
        { type: 'begin', key: 'k', id: 5 },
        { type: 'run', key: 'k', id: 5, event: { type: 'step', step: 3, ms: 1 } },
      ])
      return new Promise(() => {})
    }
    runCells(['study'])
    await vi.waitFor(() => expect(fake.asked).toContain('evaluate block'))
    await vi.waitFor(() => expect(useNotebook.getState().states.block?.output?.studies).toHaveLength(1))
    restart()
    await settled('block', 'study')
    expect(recorded).toEqual([[5, [{ type: 'interrupted', step: 3 }]]])
    expect(useNotebook.getState().states.block?.output?.studies[0]?.runs[0]?.status).toBe('interrupted')
  })
})
