import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from './recorder.ts'

const root = resolve(import.meta.dirname, '../../..')

describe('a killed run', () => {
  it('keeps every committed metric, shows as interrupted, and is trained anew by the next call', async () => {
    const folder = freshFolder()
    const path = writeNotebook(folder, NOTEBOOK.replace('steps: 3', 'steps: 3000').replace('seeds: 2', 'seeds: 1'))
    const words = ['run', path, '--only', 'plain', '--workspace', folder]
    const child = spawn(process.execPath, [join(root, 'app/mixlab.js'), ...words], { stdio: 'ignore' })
    const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)))

    const runs = async () => JSON.parse((await mixlab(['runs', '--json', '--workspace', folder])).out[0] ?? '[]')
    await expect
      .poll(async () => (await runs())[0]?.metrics['train/loss']?.count ?? 0, { timeout: 30_000 })
      .toBeGreaterThan(20)
    const [before] = await runs()
    expect(before.status).toBe('running')
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')

    const [after] = await runs()
    expect(after.status).toBe('interrupted')
    expect(after.metrics['train/loss'].count).toBeGreaterThanOrEqual(before.metrics['train/loss'].count)
    expect(after.step).toBeGreaterThanOrEqual(before.step)

    const again = await mixlab([...words, '--json'])
    expect(JSON.parse(again.out[0] ?? '')).toMatchObject({ trained: 1, cached: 0 })
    expect((await runs()).map(({ status }: { status: string }) => status).sort()).toEqual(['done', 'interrupted'])
  })
})
