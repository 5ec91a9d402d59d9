import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { plot } from '../../../engine/display/plot.ts'
import type { Host } from '../../../engine/host.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { changeKind, deleteCell, renameCell, undo } from '../../../renderer/session/actions.ts'
import { setFollows } from '../../../renderer/session/following.ts'
import { useKernel } from '../../../renderer/session/kernel/state.ts'
import { interrupt, restart, runAll, runCells } from '../../../renderer/session/run.ts'
import { useNotebook } from '../../../renderer/session/state.ts'
import { stubStorage } from '../storage.ts'
import { begin, edit, fake, host, missing, phase, plan, ran, settled, written } from './fakeKernel.ts'

vi.mock('../../../renderer/session/kernel/client.ts', async () => ({
  startKernel: (await import('./fakeKernel.ts')).startKernel,
}))

const error = { code: 'notebook' as const, path: '', message: 'wrong', line: 1 }

beforeEach(begin)

describe('running cells', () => {
  it('offers the kernel an ear', async () => {
    let offered: string[] = []
    fake.answer = async (_, page) => {
      offered = Object.keys(page)
      return {}
    }
    await ran('block')
    const ear = [
      'print',
      'show',
      'study',
      'memory',
      'lost',
      'cardWanted',
      'selfTested',
      'noteSelfTest',
      'selfTestCases',
    ]
    expect(offered.sort()).toEqual(ear.sort())
  })

  it('evaluates first what a cell depends on, without training', async () => {
    await ran('study')
    expect(fake.asked).toEqual(['evaluate block', 'train study'])
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['done', 'done', undefined])
    expect(written).toEqual(['block', 'study'])
  })

  it('reads the runs that a figure asks for once the cell has ended, and says what is wrong in its place', async () => {
    const asked = plot.runs({ y: 'loss' })
    const view = { kind: 'runs', text: 'loss of the runs', open: asked }
    fake.answer = async ({ id }, page) => {
      page.show(id, [view])
      return { value: view }
    }
    const fields = { metrics: ['loss'], options: [], facts: [], meanings: {}, tags: [], studies: [] }
    const group = {
      name: 'mixer',
      runs: 1,
      run: 1,
      x: [1, 2],
      mean: [3, 4],
      sd: [0, 0],
      min: [3, 4],
      max: [3, 4],
      n: [1, 1],
    }
    const curves = { groups: [group], lines: [], groupsLeft: 0, runsLeft: 0, lacking: 0, unplaced: 0 }
    const runs = { rows: [{ values: ['mixer'] }], total: 1 }
    const read = { runFields: async () => fields, readCurves: async () => curves, queryRuns: async () => runs }
    const store = { ...host, ...read } as unknown as Host
    useConnection.setState({ host: store })
    await ran('block')
    const output = () => useNotebook.getState().states.block?.output
    const marks = { type: 'marks', series: [{ name: 'mixer', x: [1, 2], y: [3, 4] }] }
    expect(output()).toMatchObject({ displays: [{ body: marks }], value: { kind: 'runs', body: marks } })
    expect(JSON.stringify(output())).not.toContain('"open"')

    useConnection.setState({ host: { ...store, readCurves: async () => ({ ...curves, groups: [] }) } as Host })
    runCells(['block'])
    await expect.poll(() => output()?.value?.text).toBe("plot.runs: no complete run with loss passes the filter ''")
    useConnection.setState({ host })
  })

  it('does not evaluate again what the kernel holds, until it changes', async () => {
    await ran('study')
    await ran('study')
    expect(fake.asked).toEqual(['evaluate block', 'train study', 'train study'])
    edit('block = 1', 'block = 2')
    await ran('study')
    expect(fake.asked.slice(3)).toEqual(['evaluate block', 'train study'])
  })

  it('runs all code cells once, in order', async () => {
    runAll()
    await settled('block', 'study', 'use')
    expect(fake.asked).toEqual(['train block', 'train study', 'train use'])
  })

  it('does not train a study that a cell only depends on, and leaves its output alone', async () => {
    fake.answer = async ({ id }) => (id === 'study' ? { studies: ['study'] } : {})
    await ran('use')
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

  it('forgets a cell that is deleted while it waits, and refuses to rename one that runs or waits', async () => {
    let finish = () => {}
    fake.answer = () => new Promise((resolve) => (finish = () => resolve({})))
    runAll()
    await expect.poll(() => fake.asked).toEqual(['train block'])
    const keyOf = (id: string) => useNotebook.getState().cells.find((cell) => cell.id === id)?.key ?? ''
    expect(renameCell(keyOf('block'), 'other')).toBe("'block' is running")
    expect(renameCell(keyOf('use'), 'other')).toBe("'use' is queued")
    deleteCell(keyOf('use'))
    changeKind(keyOf('study'), 'markdown')
    fake.answer = async () => ({})
    finish()
    await settled('block', 'study', 'use')
    undo()
    undo()
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['done', 'idle', 'idle'])
    expect(fake.asked).toEqual(['train block'])
    expect(renameCell(keyOf('block'), 'other')).toBe(null)
    expect(phase('other')).toBe('done')
  })

  it('forgets what waits when it is interrupted', async () => {
    let finish = () => {}
    fake.answer = () => new Promise((resolve) => (finish = () => resolve({ interrupted: true })))
    runAll()
    await expect.poll(() => fake.asked).toEqual(['train block'])
    interrupt()
    finish()
    await settled('block')
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['interrupted', 'idle', 'idle'])
    expect(fake.asked).toEqual(['train block'])
  })

  it('runs a cell once more whose kernel has lost its graphics card, and then what waits', async () => {
    let losses = 0
    fake.answer = async ({ id }, page) => {
      if (id !== 'study' || losses === 2) return {}
      losses += 1
      page.lost('it fell out')
      return new Promise(() => {})
    }
    runAll()
    await settled('block', 'study', 'use')
    expect([phase('block'), phase('study'), phase('use')]).toEqual(['done', 'done', 'done'])
    expect(fake.asked.filter((asked) => asked === 'train study')).toHaveLength(3)
    expect(fake.asked.at(-1)).toBe('train use')
  })

  it('ends the cell in progress with its kernel, and evaluates anew in the next', async () => {
    await ran('block')
    fake.answer = () => new Promise(() => {})
    const before = fake.started
    runCells(['study'])
    await expect.poll(() => phase('study')).toBe('running')
    restart()
    await settled('study')
    expect(phase('study')).toBe('interrupted')
    expect(fake.started).toBe(before + 1)
    expect(useKernel.getState().evaluated).toEqual({})
    fake.answer = async () => ({})
    await ran('study')
    expect(fake.asked.slice(-2)).toEqual(['evaluate block', 'train study'])
  })

  it('keeps what a cell prints, and drops what it printed the time before', async () => {
    fake.answer = async ({ id }, page) => {
      page.print(id, [{ level: 'log', text: 'hello' }])
      return {}
    }
    for (let time = 0; time < 2; time++) {
      await ran('block')
    }
    expect(useNotebook.getState().states.block?.output?.console).toEqual([{ level: 'log', text: 'hello' }])
  })

  it('notes in the store that the runs of a killed kernel do not go on', async () => {
    const recorded: unknown[] = []
    const record = async (...call: unknown[]) => void recorded.push(call)
    useConnection.setState({ host: { ...host, record } as unknown as Host })
    fake.answer = async ({ id }, page) => {
      plan(page, id)
      page.study(id, 's', [
        { type: 'begin', key: 'k', id: 5, backend: 'cpu' },
        { type: 'run', key: 'k', id: 5, event: { type: 'step', step: 3, ms: 1 }, ms: 5 },
      ])
      return new Promise(() => {})
    }
    runCells(['study'])
    await expect.poll(() => fake.asked).toContain('evaluate block')
    await expect.poll(() => useNotebook.getState().states.block?.output?.studies).toHaveLength(1)
    restart()
    await settled('block', 'study')
    expect(recorded).toEqual([[5, [{ type: 'interrupted', step: 3 }]]])
    expect(useNotebook.getState().states.block?.output?.studies[0]?.runs[0]?.status).toBe('interrupted')
  })

  it('is failed where all runs of a variant are, and done where some are', async () => {
    const runs = ['a1', 'a2', 'b1', 'b2'].map((key, i) => missing(key, key.slice(0, 1), i % 2))
    const trained = async (...failed: string[]) => {
      fake.answer = async ({ id }, page) => {
        if (id !== 'study') return {}
        plan(page, id, runs, ['a', 'b'])
        const end = (key: string) =>
          ({ type: failed.includes(key) ? 'failed' : 'done', step: 1, message: 'NaN' }) as const
        page.study(
          id,
          's',
          runs.map(({ key }) => ({ type: 'run', key, id: 1, event: end(key), ms: 1 })),
        )
        return { studies: ['s'] }
      }
      await ran('study')
      return phase('study')
    }
    expect(await trained()).toBe('done')
    expect(await trained('a1', 'b1')).toBe('done')
    expect(await trained('a1', 'a2')).toBe('failed')
    expect(await trained('a1', 'a2', 'b1', 'b2')).toBe('failed')
  })

  it('evaluates again what failed since the kernel held it', async () => {
    runAll()
    await settled('block', 'study', 'use')
    fake.answer = async ({ id }) => (id === 'block' ? { error } : {})
    await ran('block')
    fake.answer = async () => ({})
    fake.asked.length = 0
    await ran('study')
    expect(fake.asked).toEqual(['evaluate block', 'train study'])
  })

  it('calls stale what was made of values that a cell has made anew since, but for studies', async () => {
    fake.answer = async ({ id }, page) => {
      if (id === 'study') plan(page, id, [], [])
      return id === 'study' ? { studies: ['s'] } : {}
    }
    const outdated = (id: string) => useNotebook.getState().states[id]?.outdated
    runAll()
    await settled('block', 'study', 'use')
    await ran('block')
    expect([outdated('block'), outdated('study'), outdated('use')]).toEqual([false, false, true])
    fake.asked.length = 0
    await ran('use')
    expect(fake.asked).toEqual(['evaluate study', 'train use'])
    expect(outdated('use')).toBe(false)
  })

  it('shows no study of other code beside the error of the code as it is now', async () => {
    fake.answer = async ({ id }, page) => {
      if (id === 'study') plan(page, id, [], [])
      return { studies: id === 'study' ? ['s'] : [] }
    }
    const studies = () => useNotebook.getState().states.study?.output?.studies.length
    await ran('study')
    fake.answer = async ({ id }) => (id === 'study' ? { error } : {})
    await ran('study')
    expect(studies()).toBe(1)
    edit('block + 1', 'block + 2')
    await ran('study')
    expect(studies()).toBe(0)
  })

  it('notes how long a cell took, unless it was cut off', async () => {
    const ms = () => useNotebook.getState().states.block?.output?.ms
    await ran('block')
    expect(ms()).toBeGreaterThanOrEqual(0)
    fake.answer = () => new Promise(() => {})
    runCells(['block'])
    await expect.poll(() => useKernel.getState().running?.id).toBe('block')
    restart()
    await settled('block')
    expect(ms()).toBeNull()
    expect(useKernel.getState().running).toBeNull()
  })
})

describe('cells that follow', () => {
  const asked = async (...ids: string[]) => {
    await ran(...ids)
    return fake.asked.splice(0)
  }
  beforeEach(() => {
    stubStorage()
    setFollows('test.ts', true)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('run when what they use has run, and train nothing', async () => {
    expect(await asked('use')).toEqual(['evaluate block', 'evaluate study', 'train use'])
    edit('block = 1', 'block = 2')
    expect(await asked('block')).toEqual(['train block', 'evaluate study', 'evaluate use'])
    expect(useNotebook.getState().states.use?.outdated).toBe(false)
  })

  it('are never cells that define a study, nor cells that use one that is out of date', async () => {
    fake.answer = async ({ id }) => (id === 'study' ? { studies: ['s'] } : {})
    await asked('block', 'study', 'use')
    edit('block = 1', 'block = 2')
    expect(await asked('block')).toEqual(['train block'])
    expect(await asked('study')).toEqual(['train study', 'evaluate use'])
  })

  it('are never cells that the user has not run as they are now', async () => {
    await asked('block', 'study')
    edit('block + 1', 'block + 2')
    expect(await asked('block')).toEqual(['train block'])
  })

  it('are none unless the notebook is so set', async () => {
    setFollows('test.ts', false)
    await asked('use')
    expect(await asked('block')).toEqual(['train block'])
  })
})
