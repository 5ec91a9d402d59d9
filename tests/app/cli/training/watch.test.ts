import { expect, it } from 'vitest'
import { openHost } from '../../../../app/host.ts'
import { LONG } from '../../../long.ts'
import { begun, metricEvents, sampleRun } from '../../store/samples.ts'
import { freshFolder, mixlab, writeNotebook } from '../recorder.ts'

it('tells of the runs that others train, as they begin, go on and end, until Ctrl-C', async () => {
  const folder = freshFolder()
  const host = openHost({ workspace: folder })
  const abort = new AbortController()
  const out: string[] = []
  const moving = new Set<string>()
  const watching = mixlab(['runs', '--watch', '--study', 'gating', '--workspace', folder], {
    signal: abort.signal,
    out: (line) => void out.push(line),
    redraw: (line) => void moving.add(line),
  })
  await host.beginRun(sampleRun({ variant: 'not shown', study: 'other' }))
  const id = begun(await host.beginRun(sampleRun()))
  await host.record(id, [{ type: 'start', steps: 9, parameters: 1 }, ...metricEvents('loss', 0, 5)])
  await expect.poll(() => out).toEqual([`run ${id}, gating: gmlp, seed 0: in training on cpu`])
  await expect.poll(() => [...moving]).toContain(`run ${id} 4/9`)
  await host.record(id, [{ type: 'failed', step: 5, message: 'loss is NaN' }])
  await expect.poll(() => out.at(-1)).toBe(`run ${id}, gating: gmlp, seed 0: failed: loss is NaN`)
  abort.abort()
  expect((await watching).code).toBe(0)
  host.close()
})

it('is a line of JSON for each change, and takes no columns', async () => {
  const folder = freshFolder()
  const host = openHost({ workspace: folder })
  const abort = new AbortController()
  const out: string[] = []
  const more = { signal: abort.signal, out: (line: string) => void out.push(line) }
  const watching = mixlab(['runs', '--watch', '--json', '--workspace', folder], more)
  const id = begun(await host.beginRun(sampleRun()))
  await expect.poll(() => out).toHaveLength(1)
  await host.record(id, [{ type: 'done', step: 9 }])
  await expect.poll(() => out.map((line) => JSON.parse(line).status)).toEqual(['running', 'done'])
  expect(JSON.parse(out[1] ?? '')).not.toHaveProperty('code')
  abort.abort()
  await watching
  host.close()
  const { code, err } = await mixlab(['runs', '--watch', '--columns', 'id', '--workspace', folder])
  expect([code, err]).toEqual([1, ['mixlab: --watch: cannot be used with --columns']])
})

it.runIf(LONG)(
  'a second run of a study waits for the runs of the first, and takes them up where that has gone',
  async () => {
    const known = freshFolder()
    await mixlab(['run', writeNotebook(known), '--workspace', known])
    const first = openHost({ workspace: known })
    const [done, dead] = await first.showRuns([1, 2])
    if (!done || !dead) throw new Error('two runs')
    first.close()

    const folder = freshFolder()
    const other = openHost({ workspace: folder })
    const on = { backend: 'simd', device: 'elsewhere' }
    const start = ({ key, study, variant, seed }: typeof done) => ({
      key,
      study,
      variant,
      seed,
      spec: {},
      code: '',
      ...on,
    })
    const id = begun(await other.beginRun(start(done)))
    await other.beginRun(start(dead))
    const err: string[] = []
    const call = ['run', writeNotebook(folder), '--json', '--workspace', folder, '--backend', 'simd']
    const second = mixlab(call, { err: (line) => void err.push(line) })
    const waits = ({ variant, seed }: typeof done) =>
      `${variant}, seed ${seed}: in training in another process; waiting for it`
    await expect.poll(() => err).toEqual(expect.arrayContaining([waits(done), waits(dead)]))
    await other.record(id, [...metricEvents('test/accuracy', 3, 4), { type: 'done', step: 3 }])
    other.close()
    const { code, out } = await second
    expect(code).toBe(0)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ trained: 3, cached: 1, failed: 0 })
    expect(err).toContain(`${done.variant}, seed ${done.seed}: done, by another process`)
  },
)
