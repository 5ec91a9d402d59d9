import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostForConnection } from '../../app/connection.ts'
import { openHost } from '../../app/host.ts'
import { begun, freshFolder, freshWorkspace, metricEvents, sampleRun } from './store/samples.ts'

describe('openHost', () => {
  it('describes version, workspace and first notebook', async () => {
    const workspace = freshFolder()
    const host = openHost({ workspace, notebook: 'a.ts' })
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(await host.describe()).toEqual({ version: manifest.version, workspace, notebook: 'a.ts' })
    host.close()
  })

  it('answers queries on what it records, until it is closed', async () => {
    const host = openHost({ workspace: freshWorkspace() })
    await host.beginRun(sampleRun({ variant: 'queried' }))
    const sql = 'select variant, status from runs'
    expect(await host.querySql(sql)).toEqual({
      columns: ['variant', 'status'],
      rows: [['queried', 'running']],
      truncated: false,
    })
    host.close()
    await expect(host.querySql(sql)).rejects.toThrow('the store is closed')
  })

  it('renames a notebook with its history, its outputs and its runs', async () => {
    const host = openHost({ workspace: freshWorkspace() })
    const revision = await host.writeNotebook('a.ts', 'one', null)
    await host.writeNotebook('a.ts', 'two', revision)
    await host.writeOutput('a.ts', { cell: 'a', fingerprint: 'f', output: 1 })
    const origin = { notebook: 'a.ts', cell: 'a', name: null, source: '', quick: false }
    await host.beginRun(sampleRun({ origin }))
    await host.renameNotebook('a.ts', 'b.ts')
    const [version] = await host.listVersions('b.ts')
    expect(await host.readVersion('b.ts', version?.at ?? 0)).toBe('one')
    expect(await host.readOutputs('b.ts')).toHaveLength(1)
    expect(await host.listRuns({ notebook: 'b.ts' })).toHaveLength(1)
    expect(await host.listVersions('a.ts')).toEqual([])
    await expect(host.renameNotebook('a.ts', 'c.ts')).rejects.toMatchObject({ code: 'notebook' })
    host.close()
  })

  it('deletes a notebook to the bin and brings all of it back, also beside another of its name', async () => {
    const host = openHost({ workspace: freshWorkspace() })
    const revision = await host.writeNotebook('a.ts', 'one', null)
    await host.writeNotebook('a.ts', 'two', revision)
    await host.writeOutput('a.ts', { cell: 'a', fingerprint: 'f', output: 1 })
    await host.beginRun(sampleRun({ origin: { notebook: 'a.ts', cell: 'a', name: null, source: '', quick: false } }))
    const deleted = await host.deleteNotebook('a.ts')
    expect(await host.listDeleted()).toEqual([deleted])
    expect(await host.listNotebooks()).toEqual([])
    const [run] = await host.listRuns()
    expect((await host.showRun(`${run?.id}`)).origin?.notebook).toBe(`.mixlab/bin/${deleted.id}`)

    await host.writeNotebook('a.ts', 'another', null)
    expect(await host.readOutputs('a.ts')).toEqual([])
    expect(await host.listRuns({ notebook: 'a.ts' })).toEqual([])
    expect(await host.restoreNotebook(deleted.id)).toBe('a-2.ts')
    expect((await host.readNotebook('a-2.ts')).text).toBe('two')
    const [version] = await host.listVersions('a-2.ts')
    expect(await host.readVersion('a-2.ts', version?.at ?? 0)).toBe('one')
    expect(await host.readOutputs('a-2.ts')).toHaveLength(1)
    expect(await host.listRuns({ notebook: 'a-2.ts' })).toHaveLength(1)
    expect((await host.readNotebook('a.ts')).text).toBe('another')
    await expect(host.restoreNotebook(deleted.id)).rejects.toThrow('is not in the bin')
    await expect(host.deleteNotebook('none.ts')).rejects.toThrow('no such notebook')
    host.close()
  })

  it('reads what --data names while it is open, and what was allowed also later', async () => {
    const workspace = freshFolder()
    const [once, always, never] = [freshFolder(), freshFolder(), freshFolder()]
    for (const folder of [once, always, never]) writeFileSync(join(folder, 'x'), 'x')
    const first = openHost({ workspace, data: [once] })
    await first.allowData(always)
    await first.allowData(always)
    expect((await first.read(join(once, 'x'))).length).toBe(1)
    expect((await first.read(join(always, 'x'))).length).toBe(1)
    await expect(first.read(join(never, 'x'))).rejects.toMatchObject({ code: 'permission' })
    await expect(first.allowData(join(never, 'missing'))).rejects.toMatchObject({ code: 'data' })
    first.close()
    const host = openHost({ workspace })
    await expect(host.read(join(once, 'x'))).rejects.toMatchObject({ code: 'permission' })
    expect((await host.list(always)).map((entry) => entry.name)).toEqual(['x'])
    host.close()
    const free = openHost({ workspace, unrestricted: true })
    expect((await free.read(join(never, 'x'))).length).toBe(1)
    free.close()
  })

  it('rejects a store that is none and a first notebook that is none', () => {
    const workspace = freshFolder()
    expect(() => openHost({ workspace, notebook: '../a.ts' })).toThrow(/not a notebook name/)
    mkdirSync(join(workspace, '.mixlab'))
    writeFileSync(join(workspace, '.mixlab/mixlab.db'), 'not a database'.repeat(100))
    expect(() => openHost({ workspace })).toThrow(/mixlab\.db: is not a mixlab database/)
  })
})

describe('hostForConnection', () => {
  it('interrupts, when it goes, the runs it began that are still in training, and no others', async () => {
    const local = openHost({ workspace: freshWorkspace() })
    const leaving = hostForConnection(local)
    const staying = hostForConnection(local)
    expect('close' in leaving.host).toBe(false)
    const running = begun(await leaving.host.beginRun(sampleRun({ variant: 'running' })))
    await leaving.host.record(running, [{ type: 'step', step: 4, ms: 1 }])
    const idle = begun(await leaving.host.beginRun(sampleRun({ variant: 'idle' })))
    const done = begun(await leaving.host.beginRun(sampleRun({ variant: 'done' })))
    await leaving.host.record(done, [{ type: 'done', step: 9 }])
    const others = begun(await staying.host.beginRun(sampleRun({ variant: 'others' })))
    leaving.release()
    leaving.release()
    const status = Object.fromEntries((await local.listRuns()).map((run) => [run.id, [run.status, run.step]]))
    expect(status).toEqual({
      [running]: ['interrupted', 4],
      [idle]: ['interrupted', 0],
      [done]: ['done', 9],
      [others]: ['running', 0],
    })
    await expect(leaving.host.beginRun(sampleRun())).rejects.toThrow('connection: is closed')
    await expect(leaving.host.record(running, [])).rejects.toThrow('connection: is closed')
    local.close()
  })

  it('begins again what it had begun, and leaves that alone which is in training elsewhere', async () => {
    const local = openHost({ workspace: freshWorkspace() })
    const [page, other] = [hostForConnection(local), hostForConnection(local)]
    const id = begun(await page.host.beginRun(sampleRun()))
    await page.host.record(id, metricEvents('loss', 0, 3))
    expect(await other.host.beginRun(sampleRun())).toBeNull()
    const late = { type: 'interrupted', step: 9 } as const
    await expect(other.host.record(id, [late])).rejects.toThrow(`run ${id}: is in training elsewhere`)
    expect(begun(await page.host.beginRun(sampleRun()))).toBe(id) // its kernel was restarted
    expect((await local.showRun(`${id}`)).status).toBe('running')
    await page.host.record(id, [{ type: 'interrupted', step: 4 }])
    await other.host.record(id, [late]) // nobody trains it
    expect(begun(await other.host.beginRun(sampleRun()))).toBe(id)
    page.release()
    expect((await local.showRun(`${id}`)).status).toBe('running')
    local.close()
  })

  it('goes on with what another connection of the same page had in training, by the number of its owner', async () => {
    const local = openHost({ workspace: freshWorkspace() })
    const before = hostForConnection(local)
    const run = await before.host.beginRun(sampleRun())
    const id = begun(run)
    const after = hostForConnection(local)
    const early = after.host.record(id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    await expect(early).rejects.toMatchObject({ code: 'owner' }) // the other connection still has it
    before.release()
    await after.host.record(id, metricEvents('loss', 0, 3), { epoch: 1, batch: 1 })
    const status = async () => (await local.showRun(`${id}`)).status
    expect(await status()).toBe('running')
    expect(await after.host.beginRun(sampleRun())).toEqual({ id, epoch: 2 }) // its kernel was restarted
    after.release()
    expect(await status()).toBe('interrupted')
    local.close()
  })

  it('leaves the cells that it runs to another, which they are for alone', async () => {
    const local = openHost({ workspace: freshWorkspace() })
    const [page, other, third] = [hostForConnection(local), hostForConnection(local), hostForConnection(local)]
    const started = { notebook: 'n.ts', source: '', fingerprint: '', plans: {}, backend: null, atOnce: null, at: 1 }
    await page.host.keepStarted({ ...started, cell: 'a' })
    await page.host.keepStarted({ ...started, cell: 'b', at: 2 })
    const by = async ({ host }: typeof page) => (await host.listLive()).started.map((each) => each.by)
    expect(await Promise.all([page, other].map(by))).toEqual([
      ['me', 'me'],
      ['other', 'other'],
    ])
    expect(await page.host.takeStarted('n.ts', 'a')).toBe(true)
    expect(await other.host.takeStarted('n.ts', 'a')).toBe(false)
    await other.host.freeStarted('n.ts', 'a')
    await page.host.renameNotebook('n.ts', 'm.ts').catch(() => {}) // there is no such file
    page.release()
    expect(await by(other)).toEqual([null, null])
    const taken = await Promise.all([other, third].map(({ host }) => host.takeStarted('n.ts', 'a')))
    expect(taken).toEqual([true, false])
    await other.host.freeStarted('n.ts', 'a')
    expect(await third.host.takeStarted('n.ts', 'a')).toBe(true)
    await other.host.endStarted('n.ts', 'a')
    expect(await by(third)).toEqual([null])
    local.close()
  })

  it('interrupts a run that was about to begin when it went', async () => {
    const local = openHost({ workspace: freshWorkspace() })
    const connection = hostForConnection(local)
    const beginning = connection.host.beginRun(sampleRun())
    connection.release()
    await expect(beginning).rejects.toThrow('connection: is closed')
    expect((await local.listRuns()).map((run) => run.status)).toEqual(['interrupted'])
    local.close()
  })

  it('can go after the host has', async () => {
    const workspace = freshFolder()
    const local = openHost({ workspace })
    const connection = hostForConnection(local)
    await connection.host.beginRun(sampleRun())
    local.close()
    connection.release()
    const again = openHost({ workspace })
    expect((await again.listRuns()).map((run) => run.status)).toEqual(['interrupted'])
    again.close()
  })
})
