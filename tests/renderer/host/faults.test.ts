import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LocalHost, openHost } from '../../../app/host.ts'
import type { Host } from '../../../engine/host.ts'
import { adamw, add, block, compare, dense, image, shapes } from '../../../engine/index.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { connectHost } from '../../../renderer/host/connectHost.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { changed, save } from '../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../renderer/session/open.ts'
import { useNotebook } from '../../../renderer/session/state.ts'
import { begun, freshFolder, metricEvents, sampleRun } from '../../app/store/samples.ts'
import { type BreakingLink, breakingLink, WHEN } from '../../faults/link.ts'

let local: LocalHost
let link: BreakingLink
let host: Host
beforeEach(async () => {
  local = openHost({ workspace: freshFolder() })
  link = breakingLink(local)
  host = await connectHost(link.open)
})
afterEach(() => local.close())

const LOST = 'the connection to the workspace was lost'

describe.each(WHEN)('a connection that breaks %s a call took effect', (when) => {
  const times = when === 'after' ? 1 : 0

  it('answers what only reads nevertheless', async () => {
    const id = begun(await host.beginRun(sampleRun()))
    await host.record(id, [...metricEvents('loss', 0, 3), { type: 'done', step: 3 }])
    const asks: [keyof Host, () => Promise<unknown>][] = [
      ['listNotebooks', () => host.listNotebooks()],
      ['findDone', () => host.findDone([sampleRun().key])],
      ['readSeries', () => host.readSeries([id], 'loss')],
      ['querySql', () => host.querySql('select count(*) from runs')],
    ]
    for (const [name, ask] of asks) {
      const broken = link.breakUnder((called) => called === name, when)
      expect(await ask()).toEqual(await ask())
      expect(broken()).toBe(true)
    }
  })

  it('does not make what writes again, says so, and goes on', async () => {
    const id = begun(await host.beginRun(sampleRun()))
    link.breakUnder((name) => name === 'record', when)
    await expect(host.record(id, metricEvents('loss', 0, 3))).rejects.toThrow(LOST)
    expect((await host.readSeries([id], 'loss'))[0]?.steps).toHaveLength(3 * times)
    link.breakUnder((name) => name === 'noteRun', when)
    await expect(host.noteRun(id, 'a note')).rejects.toThrow(LOST)
    expect(link.calls.filter((name) => name === 'noteRun')).toHaveLength(1)
    await host.noteRun(id, 'another')
    expect((await host.listRuns())[0]?.status).toBe('interrupted')
  })

  it('begins a run, and records a batch of its events, once nevertheless', async () => {
    link.breakUnder((name) => name === 'beginRun', when)
    const run = await host.beginRun(sampleRun())
    expect(run).toEqual({ id: 1, epoch: 1 + times })
    for (const batch of [1, 2]) {
      link.breakUnder((name) => name === 'record', when)
      await host.record(1, metricEvents('loss', 3 * batch, 3 * batch + 3), { epoch: 1 + times, batch })
      expect((await host.listRuns()).map(({ status }) => status)).toEqual(['running'])
    }
    expect((await host.readSeries([1], 'loss'))[0]?.steps).toEqual([3, 4, 5, 6, 7, 8])
    expect(await host.beginRun(sampleRun())).toEqual({ id: 1, epoch: 2 + times }) // its kernel was restarted
    const late = host.record(1, metricEvents('loss', 9, 12), { epoch: 1 + times, batch: 3 })
    await expect(late).rejects.toMatchObject({ code: 'owner' })
  })

  it('makes all calls that wait for an answer again, and those of after the break once', async () => {
    link.breakUnder((name) => name === 'baselines', when)
    const waiting = [host.baselines(), host.listNotebooks(), host.runFields()]
    const answers = await Promise.all(waiting)
    expect(answers.slice(0, 2)).toEqual([{}, []])
    const before = link.calls.length
    await Promise.all([host.baselines(), host.noteRun(99, '').catch(() => {})])
    expect(link.calls.slice(before)).toEqual(['baselines', 'noteRun'])
  })

  it('leaves a notebook with what was typed, without a question', async () => {
    await local.writeNotebook('n.ts', '// %% a\nconst a = 1\n', null)
    useConnection.setState({ host })
    await openNotebook('n.ts')
    const type = (source: string) => {
      useNotebook.setState(({ cells }) => ({ cells: cells.map((cell) => ({ ...cell, source })) }))
      changed()
    }
    type('const a = 2')
    link.breakUnder((name) => name === 'writeNotebook', when)
    await save()
    expect(useNotebook.getState()).toMatchObject({ saving: 'failed', saveError: LOST })
    await save()
    await expect.poll(() => useNotebook.getState()).toMatchObject({ saving: 'saved', conflict: null })
    expect((await local.readNotebook('n.ts')).text).toBe('// %% a\nconst a = 2\n')
    expect(await local.listVersions('n.ts')).toHaveLength(1)
    type('const a = 3')
    await save()
    expect((await local.readNotebook('n.ts')).text).toBe('// %% a\nconst a = 3\n')
  })

  it('does not end a study, which comes to the same bits, whichever write it breaks', async () => {
    const whole = openHost({ workspace: freshFolder() })
    await execute(whole)
    const [run] = await whole.listRuns()
    for (let at = 0; ; at++) {
      const each = openHost({ workspace: freshFolder() })
      const breaking = breakingLink(each)
      const far = await connectHost(breaking.open)
      let writes = 0
      const broken = breaking.breakUnder((name) => ['beginRun', 'record'].includes(name) && writes++ === at, when)
      const events = await execute(far)
      expect(events.at(-1)).toEqual({ type: 'end', trained: 1, cached: 0, failed: 0, interrupted: false })
      expect(await resultOf(each)).toEqual(await resultOf(whole))
      const [done] = await each.listRuns()
      expect(Object.keys(done?.metrics ?? {}).sort()).toEqual(Object.keys(run?.metrics ?? {}).sort())
      each.close()
      if (!broken()) break
    }
    whole.close()
  })
})

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const study = compare('s', {
  task: image({ data: shapes({ train: 16, test: 8 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  train: { steps: 4, batch: 8, optimizer: adamw(), logEvery: 1, evalEvery: 2, checkpointEvery: { steps: 2 } },
  seeds: 1,
  variants: { plain },
})

async function execute(runs: Host): Promise<StudyEvent[]> {
  const events: StudyEvent[] = []
  const backend = { name: 'cpu', device: 'test' } as const
  for await (const event of executeStudy(study, { runs, files: runs, backend })) events.push(event)
  return events
}

/** What a study leaves: weights, points and report. */
async function resultOf(from: Host): Promise<unknown> {
  const [run] = await from.listRuns()
  const { id, status, step, metrics } = run ?? { id: 0, metrics: {} }
  const names = Object.keys(metrics).filter((name) => !isTiming(name))
  const series = await Promise.all(names.map((name) => from.readSeries([id], name)))
  const weights = [await from.readWeights(id), await from.readWeights(id, 'best')]
  return { count: (await from.listRuns()).length, status, step, series, weights, report: await from.readReport(id) }
}
