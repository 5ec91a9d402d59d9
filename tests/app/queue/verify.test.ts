import { expect, it } from 'vitest'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { type Job, ownVersions } from '../../../app/queue/job.ts'
import { nameOf } from '../../../app/queue/objects.ts'
import { verifySample } from '../../../app/queue/owner/verify.ts'
import { freshFolder, NOTEBOOK, trainIn } from '../cli/recorder.ts'

it('trains runs of others again, and finds false weights and metrics', async () => {
  const workspace = freshFolder()
  expect((await trainIn(workspace)).code).toBe(0)
  const host = openHost({ workspace })
  try {
    const run = (await host.listRuns({ variant: 'mixer' })).find(({ seed }) => seed === 1)
    if (!run) throw new Error('no run')
    const { key, study, variant, seed } = run
    const object = nameOf(Buffer.from(NOTEBOOK))
    const job: Job = {
      ...ownVersions,
      ...{ workspace: 'w', nonce: 'n', base: 0, study, options: {}, backend: 'simd', before: [] },
      ...{ run: { key, study, variant, seed, spec: {}, code: '' }, notebook: object, files: object },
    }
    const files = { read: new Set<string>(), listed: new Set<string>() }
    const work = { run: job.run, of: { study, backend: 'simd' as const }, before: [], notebook: NOTEBOOK, files }
    const verify = (from: LocalHost, share = 0.02) =>
      verifySample([{ work, job, machine: 'm' }], share, from, 1, new AbortController().signal)

    expect(await verify(host)).toEqual({ tried: 1, differ: [] })
    expect(await verify(host, 0)).toEqual({ tried: 0, differ: [] })
    const lying = { ...host, readWeights: async () => Uint8Array.of(1) }
    expect((await verify(lying)).differ).toEqual(['tiny: mixer, seed 1, of m: its weights are others here'])
    const { last = 0, ...rest } = run.metrics['test/loss'] ?? {}
    const better = { ...run, metrics: { ...run.metrics, 'test/loss': { ...rest, last: last / 2 } as never } }
    const [said] = (await verify({ ...host, findDone: async () => [better] })).differ
    expect(said).toContain(`its test/loss is ${last / 2}, here ${last}`)
  } finally {
    host.close()
  }
})
