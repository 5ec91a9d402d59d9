import { beforeEach, expect, it, vi } from 'vitest'
import { threadChannel } from '../../../app/jobs/calls.ts'
import { connect } from '../../../engine/channel.ts'
import type { JobCalls, JobsCalls } from '../../../engine/study/jobs/calls.ts'

const { ports, backends, notebooks } = vi.hoisted(() => ({
  ports: [] as MessagePort[],
  backends: [] as unknown[],
  notebooks: [] as unknown[],
}))
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  get parentPort() {
    return ports.at(-1) ?? null
  },
  workerData: { notebook: '// %% a', backend: 'simd', threads: 2 },
}))
vi.mock('../../../app/backends.ts', () => ({ useBackend: async (...given: unknown[]) => void backends.push(given) }))
vi.mock('../../../app/augmenter.ts', () => ({ spawnAugmenter: () => {} }))
vi.mock('../../../app/studies.ts', () => ({
  studiesIn: async (text: string, say: () => void) => {
    say()
    notebooks.push(text)
    return []
  },
}))

beforeEach(() => {
  vi.resetModules()
  for (const list of [ports, backends, notebooks]) list.length = 0
})

it('starts its backend and evaluates the notebook for the first run that it is asked for', async () => {
  const { port1, port2 } = new MessageChannel()
  ports.push(port2)
  await import('../../../app/jobs/job.ts')
  const { remote } = connect<JobCalls, JobsCalls>({} as JobsCalls, threadChannel(port1 as never))
  expect(notebooks).toEqual([])
  expect(await remote.knows('s', {}, ['k'])).toBe(false)
  expect([backends, notebooks]).toEqual([[['simd', 2]], ['// %% a']])
  port1.close()
})

it('is nothing but a thread', async () => {
  await expect(import('../../../app/jobs/job.ts')).rejects.toThrow('a job is a thread')
})
