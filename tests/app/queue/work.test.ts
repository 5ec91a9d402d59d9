import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EXIT } from '../../../app/cli/command.ts'
import { type Job, ownVersions, signJob } from '../../../app/queue/job.ts'
import { openSigner } from '../../../app/queue/keys.ts'
import { listMachines, type Machine, tellMachine } from '../../../app/queue/machines.ts'
import { namesOf, PREFIX, queueName } from '../../../app/queue/names.ts'
import { readResume } from '../../../app/queue/resume.ts'
import { openCache } from '../../../app/queue/worker/cache.ts'
import { work } from '../../../app/queue/worker/worker.ts'
import { disturbed, started } from '../attempts/disturbed.ts'
import { mixlab } from '../cli/recorder.ts'
import { freshFolder } from '../store/samples.ts'
import { openedQueue, plannedWork } from './opened.ts'
import { type QueueServer, skipLine, startServer } from './server.ts'

const ENDLESS = disturbed({ variants: '{ mixer: mixer() }', steps: 100_000, evalEvery: 100_000, checkpointEvery: 5 })

describe.skipIf(skipLine())('mixlab work', () => {
  let server: QueueServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.close())

  const never = new AbortController().signal
  /** What a worker is started with, whose key and files are in a fresh folder. */
  function optionsOf(id: string, address = server.address) {
    const folder = freshFolder()
    const on = { name: 'cpu', device: 'a processor' } as const
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    const signals = { stop: never, end: never }
    const cache = openCache(join(folder, 'cache'))
    const own = { address, key: openSigner(folder), id, on, jobs: 1, threads: 1, cache, journals: folder, ...signals }
    return { said, options: { ...own, say, canary: async () => '' } }
  }

  it('leaves where the signal came before it had begun', async () => {
    const { said, options } = optionsOf('early')
    for (const signal of ['stop', 'end']) await work({ ...options, [signal]: AbortSignal.abort() })
    expect(said).toHaveLength(2) // whom it serves
    expect(await listMachines(server.redis, namesOf(options.key.workspace))).toEqual([])
  })

  it('leaves runs to others where it can begin none, and says why', async () => {
    const { said, options } = optionsOf('broken')
    const { key: signer } = options
    const name = { sha256: 'ab'.repeat(32), size: 1 }
    const run = { key: 'cd'.repeat(32), study: 's', variant: 'v', seed: 1, spec: {}, code: '' }
    const job: Job = {
      ...{ ...ownVersions, workspace: signer.workspace, nonce: 'n', base: 0, run, study: 's', options: {} },
      ...{ backend: 'cpu', notebook: name, files: name, before: [] },
    }
    const jobs = new Queue(queueName(signer.workspace, 'cpu'), { connection: server.redis, prefix: PREFIX })
    onTestFinished(() => jobs.close())
    await jobs.add('run', signJob(job, signer), { jobId: run.key })
    const working = work({ ...options, cache: () => Promise.reject(new Error('a disk that is broken')) })
    await expect(working).rejects.toThrow('5 runs in turn could not begin here: a disk that is broken')
    expect(said.filter((line) => line.endsWith('handed back'))).toHaveLength(5)
    expect(await jobs.getJobState(run.key)).toBe('waiting')
    await jobs.obliterate({ force: true })
  })

  it('waits for a server that is away when its canary is done', async () => {
    const own = await startServer()
    onTestFinished(own.close)
    const { options } = optionsOf('patient', own.address)
    const stop = new AbortController()
    const canary = async () => {
      await own.kill()
      return ''
    }
    const working = work({ ...options, stop: stop.signal, canary })
    await expect.poll(() => own.redis.status).not.toBe('ready')
    await own.start()
    await expect.poll(async () => (await listMachines(own.redis, namesOf(options.key.workspace))).length).toBe(1)
    stop.abort()
    await working
  })

  it('pauses, leaves after its runs by one signal, hands them back by another, and is seen meanwhile', async () => {
    const { open, signer, jobs, folder, host, names } = await openedQueue(server)
    const queue = await open()
    const words = ['work', server.address, '--key', signer.text, '--jobs', '1', '--threads', '1']
    const { child, ended } = started([...words, '--cache', join(folder, 'cache')])
    const planned = await plannedWork(ENDLESS, host)
    const { key } = planned.run
    const attempt = queue.attempt(planned)
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
    child.kill('SIGTERM')
    await expect.poll(async () => (await seen())?.state).toBe('leaves')
    expect(await jobs.getJobState(key)).toBe('active')
    await expect.poll(() => readResume(server.redis, names, key)).not.toBeNull()
    child.kill('SIGTERM')
    const said = expect.stringContaining(`serves ${userInfo().username}@`)
    expect(await ended).toMatchObject({ code: EXIT.interrupted, said })
    expect(await jobs.getJobState(key)).toBe('waiting')
    expect(await seen()).toBeUndefined()
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
