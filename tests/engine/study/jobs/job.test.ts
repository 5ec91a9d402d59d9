import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../../../engine/channel.ts'
import type { FileSource } from '../../../../engine/data/files.ts'
import { add, block, compare, dense, image, shapes, tuned } from '../../../../engine/index.ts'
import type { JobCalls, JobsCalls } from '../../../../engine/study/jobs/calls.ts'
import { serveJob } from '../../../../engine/study/jobs/job.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { tuningStudy } from '../../../../engine/study/tuning/grid.ts'
import { taskKind } from '../../../../engine/tasks/index.ts'
import { pair } from '../../pair.ts'
import { memoryRuns } from '../memory-runs.ts'

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))
const files: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}
const study = (name: string, from?: ReturnType<typeof compare>) =>
  compare(name, {
    ...{ task: image({ data: shapes({ train: 16, test: 8 }) }), model: { patch: 16, dim: 8, depth: 1 } },
    ...{ train: { steps: 3, batch: 8 }, seeds: 2, variants: { plain } },
    ...(from && { from }),
  })

const first = study('first')
const second = study('second', first)
const keysOf = async (one: typeof first, options = {}) => {
  const { planned } = await openStudy(one, options, files)
  return planned.map(({ key }) => key)
}

/** A job that has evaluated a notebook with both studies. */
function job() {
  const evaluate = vi.fn(async () => [first, second])
  const [near, far] = pair()
  serveJob(far, { evaluate })
  const { remote } = connect<JobCalls, JobsCalls>({ ...memoryRuns(), ...files }, near)
  return { remote, evaluate }
}

/** All events of the run that was begun. */
async function rest(remote: JobCalls): Promise<string[]> {
  const words: string[] = []
  for (let events = await remote.next(); events; events = await remote.next())
    words.push(...events.map(({ type }) => type))
  return words
}

describe('a job', () => {
  it('knows the runs of its studies and of those that they start from, by their options', async () => {
    const { remote, evaluate } = job()
    const [of, before] = [await keysOf(second), await keysOf(first)]
    expect(await remote.knows('second', {}, of)).toBe(true)
    expect(await remote.knows('second', {}, [...of, ...before])).toBe(true)
    expect(await remote.knows('first', {}, before)).toBe(true)
    expect(await remote.knows('first', {}, of)).toBe(false)
    expect(await remote.knows('first', {}, [...before, 'another'])).toBe(false)
    expect(await remote.knows('third', {}, before)).toBe(false)
    const more = await keysOf(first, { seeds: 3 })
    expect(await remote.knows('first', {}, more)).toBe(false)
    expect(await remote.knows('first', { seeds: 3 }, more)).toBe(true)
    expect(evaluate).toHaveBeenCalledTimes(1)
    const open = vi.spyOn(taskKind('image'), 'open')
    expect(await remote.knows('second', {}, of)).toBe(true) // its data are open
    expect(open).not.toHaveBeenCalled()
    open.mockRestore()
  })

  it('knows the runs that choose values for a study, and those with any of these values', async () => {
    const tune = tuned({ steps: [2, 3] }, ({ steps }) => ({ train: { steps } }), { seeds: 1 })
    const one = compare('tuned', { ...first.spec, tune })
    const [near, far] = pair()
    serveJob(far, { evaluate: async () => [one] })
    const { remote } = connect<JobCalls, JobsCalls>({ ...memoryRuns(), ...files }, near)
    const report = await keysOf(first, { seeds: 4 }) // of 3 steps
    expect(await remote.knows('tuned', { seeds: 4 }, report)).toBe(true)
    expect(await remote.knows('tuned', {}, report)).toBe(false)
    expect(await remote.knows('tuned', {}, await keysOf(tuningStudy(one, tune)))).toBe(true)
  })

  it('trains one run at a time, to its end', async () => {
    const { remote } = job()
    const [key = '', other = ''] = await keysOf(first)
    expect(await remote.next()).toBeNull()
    await remote.begin({ study: 'first', options: {}, key, id: 1 })
    expect(await remote.next()).toMatchObject([{ type: 'start', steps: 3 }])
    await remote.begin({ study: 'first', options: {}, key: other, id: 2 })
    const words = await rest(remote)
    expect([words[0], words.filter((word) => word === 'step').length, words.at(-1)]).toEqual(['start', 3, 'done'])
    expect(await remote.next()).toBeNull()
  })

  it('stops between two steps, and goes on with the next run', async () => {
    const { remote } = job()
    const [key = '', other = ''] = await keysOf(first)
    await remote.interrupt()
    await remote.begin({ study: 'first', options: {}, key, id: 1 })
    await remote.next()
    await remote.interrupt()
    expect((await rest(remote)).at(-1)).toBe('interrupted')
    await remote.begin({ study: 'first', options: {}, key: other, id: 2 })
    expect((await rest(remote)).at(-1)).toBe('done')
  })

  it('refuses a run that its notebook does not have', async () => {
    const { remote } = job()
    await expect(remote.begin({ study: 'first', options: {}, key: 'another', id: 1 })).rejects.toMatchObject({
      code: 'notebook',
      message: "study 'first' has no such run here",
    })
  })
})
