import { beforeEach, describe, expect, it } from 'vitest'
import { callsOf } from '../../../../engine/call.ts'
import { packArguments } from '../../../../engine/channel.ts'
import { MixlabError } from '../../../../engine/errors.ts'
import { type CapabilityRequest, type Host, kernelCalls } from '../../../../engine/host.ts'
import type { PlannedRun, RunStart, StudyEvent } from '../../../../engine/records/run.ts'
import { type GrantedCalls, grantedCalls } from '../../../../renderer/session/kernel/granted.ts'

const asked: CapabilityRequest = { notebook: 'a.ts', cells: [{ id: 'a', kind: 'code', source: '1' }] }
const said: string[] = []
/** The capabilities that the host knows. */
let known: Set<string>
let issued = 0

const host = {
  issueCapability: async ({ notebook }: CapabilityRequest) => {
    const id = `c${++issued}`
    known.add(id)
    said.push(`issue ${notebook}`)
    return id
  },
  endCapability: async (id: string) => void known.delete(id),
  callWith: async (id: string, name: string) => {
    if (!known.has(id)) throw new MixlabError('permission', 'capability', 'has ended')
    said.push(name)
    return name === 'beginRun' ? { id: 7, epoch: 1 } : name
  },
} as unknown as Host

/** What a kernel may ask, and its calls, which it packs. */
function granted(): Omit<GrantedCalls, 'askHost'> & { calls: ReturnType<typeof callsOf<typeof kernelCalls>> } {
  const { askHost, ...more } = grantedCalls(() => host)
  return { ...more, calls: callsOf(kernelCalls, (name, given) => askHost(name, packArguments(given))) }
}

beforeEach(() => {
  said.length = 0
  known = new Set()
})

describe('the calls of a kernel', () => {
  it('are made with the capability of the cell that runs, and refused before and after it', async () => {
    const { calls, during } = granted()
    await expect(calls.findDone([])).rejects.toMatchObject({ code: 'permission' })
    expect(await during(asked, () => calls.findDone([]))).toBe('findDone')
    expect(said).toEqual(['issue a.ts', 'findDone'])
    await expect(calls.findDone([])).rejects.toMatchObject({ code: 'permission' })
    expect(known.size).toBe(0)
  })

  it('are those of the cell while data is read beside it', async () => {
    const { calls, during } = granted()
    await during({ notebook: null, cells: [] }, () => during(asked, () => calls.read('a')))
    expect(said).toEqual(['issue null', 'issue a.ts', 'read'])
  })

  it('go on where the host was started again, which is told of the runs once more', async () => {
    const { calls, during } = granted()
    await during(asked, async () => {
      await calls.admitRuns([] as PlannedRun[])
      known.clear()
      await calls.findDone([])
    })
    expect(said).toEqual(['issue a.ts', 'admitRuns', 'issue a.ts', 'admitRuns', 'findDone'])
  })
})

it('a kernel may tell of runs in training that it has begun, and of no others', async () => {
  const { calls, during, mayTell } = granted()
  const begin: StudyEvent = { type: 'begin', key: 'k', id: 7, backend: 'cpu' }
  expect(mayTell(begin)).toBe(false)
  await during(asked, () => calls.beginRun({} as RunStart))
  expect(mayTell(begin)).toBe(true)
  const run = (status: string) => ({ status }) as never
  expect(mayTell({ type: 'ended', key: 'k', run: run('running') })).toBe(false)
  expect(mayTell({ type: 'ended', key: 'k', run: run('done') })).toBe(true)
  const plan = (status: string) => ({ type: 'plan', runs: [{ done: run(status) }] }) as unknown as StudyEvent
  expect([plan('done'), plan('running')].map(mayTell)).toEqual([true, false])
})
