import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openHost } from '../../../app/host.ts'
import { type Job, ownVersions, signJob } from '../../../app/queue/job.ts'
import { openSigner } from '../../../app/queue/keys.ts'
import { listMachines, type Machine, tellMachine } from '../../../app/queue/machines.ts'
import { namesOf, PREFIX, queueName } from '../../../app/queue/names.ts'
import { openOwnedQueue } from '../../../app/queue/owner/owner.ts'
import { readResume } from '../../../app/queue/resume.ts'
import { openCache } from '../../../app/queue/worker/cache.ts'
import { work } from '../../../app/queue/worker/worker.ts'
import { studiesIn } from '../../../app/studies.ts'
import type { PlannedRun } from '../../../engine/records/run.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { mixlab } from '../cli/recorder.ts'
import { freshFolder } from '../store/samples.ts'
import { type QueueServer, skipLine, startServer } from './server.ts'

const MIXLAB = resolve(import.meta.dirname, '../../../app/mixlab.js')

const notebook = `// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const long = compare('long', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 16, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 100_000, batch: 8, checkpointEvery: { steps: 5 } },
  seeds: 1,
})
`

describe.skipIf(skipLine())('mixlab work', () => {
  let server: QueueServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.close())

  it('leaves where the signal came before it had begun', async () => {
    const folder = freshFolder()
    const key = openSigner(folder)
    const on = { name: 'cpu', device: 'a processor' } as const
    const cache = openCache(join(folder, 'cache'))
    const said: string[] = []
    const options = {
      address: server.address,
      key,
      id: 'early',
      on,
      jobs: 1,
      threads: 1,
      cache,
      canary: async () => '',
      journals: folder,
    }
    const never = new AbortController().signal
    await work({ ...options, say: (line) => said.push(line), stop: AbortSignal.abort(), end: never })
    await work({ ...options, say: (line) => said.push(line), stop: never, end: AbortSignal.abort() })
    expect(said).toHaveLength(2) // whom it serves
    expect(await listMachines(server.redis, namesOf(key.workspace))).toEqual([])
  })

  it('leaves runs to others where it can begin none, and says why', async () => {
    const folder = freshFolder()
    const signer = openSigner(folder)
    const name = { sha256: 'ab'.repeat(32), size: 1 }
    const run = { key: 'cd'.repeat(32), study: 's', variant: 'v', seed: 1, spec: {}, code: '' }
    const job: Job = {
      ...{ ...ownVersions, workspace: signer.workspace, nonce: 'n', base: 0, run, study: 's', options: {} },
      ...{ backend: 'cpu', notebook: name, files: name, before: [] },
    }
    const jobs = new Queue(queueName(signer.workspace, 'cpu'), { connection: server.redis, prefix: PREFIX })
    onTestFinished(() => jobs.close())
    await jobs.add('run', signJob(job, signer), { jobId: run.key })
    const said: string[] = []
    const never = new AbortController().signal
    const working = work({
      ...{ address: server.address, key: signer, id: 'broken', on: { name: 'cpu', device: 'a processor' } },
      ...{ jobs: 1, threads: 1, journals: folder, canary: async () => '', stop: never, end: never },
      cache: () => Promise.reject(new Error('a disk that is broken')),
      say: (line) => said.push(line),
    })
    await expect(working).rejects.toThrow('5 runs in turn could not begin here: a disk that is broken')
    expect(said.filter((line) => line.endsWith('handed back'))).toHaveLength(5)
    expect(await jobs.getJobState(run.key)).toBe('waiting')
    await jobs.obliterate({ force: true })
  })

  it('waits for a server that is away when its canary is done', async () => {
    const folder = freshFolder()
    const own = await startServer()
    onTestFinished(own.close)
    const key = openSigner(folder)
    const [stop, end] = [new AbortController(), new AbortController()]
    const working = work({
      ...{ address: own.address, key, id: 'patient', on: { name: 'cpu', device: 'a processor' }, jobs: 1, threads: 1 },
      ...{
        cache: openCache(join(folder, 'cache')),
        journals: folder,
        say: () => {},
        stop: stop.signal,
        end: end.signal,
      },
      async canary() {
        await own.kill()
        return ''
      },
    })
    await expect.poll(() => own.redis.status).not.toBe('ready')
    await own.start()
    await expect.poll(async () => (await listMachines(own.redis, namesOf(key.workspace))).length).toBe(1)
    stop.abort()
    await working
  })

  it('pauses, leaves after its runs by one signal, hands them back by another, and is seen meanwhile', async () => {
    const folder = freshFolder()
    const host = openHost({ workspace: folder })
    const signer = openSigner(join(folder, '.mixlab'))
    const names = namesOf(signer.workspace)
    const around = { address: server.address, signer, host, folder, say: () => {}, canary: async () => null }
    const queue = await openOwnedQueue(around)
    const jobs = new Queue(queueName(signer.workspace, 'simd'), { connection: server.redis, prefix: PREFIX })
    const words = ['work', server.address, '--key', signer.text, '--jobs', '1', '--threads', '1']
    const worker = spawn(process.execPath, [MIXLAB, ...words, '--cache', join(folder, 'cache')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const said: string[] = []
    worker.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
    const exit = new Promise((end) => worker.once('exit', end))
    onTestFinished(async () => {
      worker.kill('SIGKILL')
      await queue.close()
      await jobs.close()
      host.close()
    })
    const [study] = await studiesIn(notebook, () => {})
    const open = await openStudy(study as NonNullable<typeof study>, {}, host)
    const run = open.planned[0] as PlannedRun
    const { key } = run
    const files = { read: new Set<string>(), listed: new Set<string>() }
    const of = { study: 'long', backend: 'simd' as const }
    const attempt = queue.attempt({ run, of, before: [], notebook, files })
    const seen = async (): Promise<Machine | undefined> => (await listMachines(server.redis, names))[0]

    await expect.poll(async () => (await seen())?.runs[0]?.step ?? 0).toBeGreaterThan(0)
    expect(await attempt).toMatchObject({ number: 1 })
    const { out } = await mixlab(['machines', '--queue', server.address, '--workspace', folder])
    expect(out.join('\n')).toMatch(
      /: simd on .*, 1 at a time with 1 threads, .* free\n {2}long: mixer, seed 1, step \d+ of 100000,/,
    )
    expect(out.join('\n')).toContain(`--key ${signer.text}`)

    await tellMachine(server.redis, names, (await seen())?.id ?? '', 'pause')
    await expect.poll(async () => (await seen())?.state).toBe('pauses')
    worker.kill('SIGTERM')
    await expect.poll(async () => (await seen())?.state).toBe('leaves')
    expect(await jobs.getJobState(key)).toBe('active')
    await expect.poll(() => readResume(server.redis, names, key)).not.toBeNull()
    worker.kill('SIGTERM')
    expect(await exit).toBe(130)
    expect(await jobs.getJobState(key)).toBe('waiting')
    expect(await seen()).toBeUndefined()
    expect(said.join('')).toContain(`serves ${(await import('node:os')).userInfo().username}@`)
  })

  it.each([
    [['work', 'http://host', '--key', 'k'], "'http://host', expected redis://host"],
    [['work', '--key', 'k'], 'work: missing, expected redis://host, here or in MIXLAB_QUEUE'],
    [['work', 'redis://host'], "--key: missing, expected what 'mixlab machines' prints"],
    [['work', 'redis://host', '--key', 'k'], "'k', expected the 43 characters"],
    [['machines', '--workspace', tmpdir()], '--queue: missing, expected redis://host'],
    [['run', 'none.ts', '--queue', 'redis://host', '--jobs', '2'], '--jobs: not together with --queue'],
    [['run', 'none.ts', '--verify', '2%'], '--verify: needs --queue'],
    [['run', 'none.ts', '--verify', '2'], "'2', expected a share up to 100%"],
  ])('says what is wrong with %j', async (words, why) => {
    const { code, err } = await mixlab(words)
    expect(code).toBeGreaterThan(0)
    expect(err.join('\n')).toContain(why)
  })
})
