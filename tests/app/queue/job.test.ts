import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leftOut, queueAddress, shownAddress } from '../../../app/queue/address.ts'
import { type Frame, type Head, packEvent, packFrame, unpackEvent, unpackFrame } from '../../../app/queue/frames.ts'
import { type Job, openJob, openOwner, otherVersions, ownVersions, signJob, signOwner } from '../../../app/queue/job.ts'
import { KEY_FILE, openSigner, publicKey } from '../../../app/queue/keys.ts'
import { createInbox } from '../../../app/queue/owner/inbox.ts'
import { environmentOn } from '../../../engine/records/environment.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { freshFolder } from '../store/samples.ts'

describe('a job', () => {
  function folder(): string {
    const made = freshFolder()
    return made
  }

  const object = { sha256: 'ab'.repeat(32), size: 3 }
  const jobOf = (workspace: string): Job => ({
    ...ownVersions,
    ...{ workspace, nonce: 'n', base: 0, study: 's', options: {}, backend: 'simd', notebook: object, files: object },
    run: { key: 'cd'.repeat(32), study: 's', variant: 'v', seed: 1, spec: {}, code: '' },
    before: [],
  })

  it('keeps a key pair that its owner alone can read, and finds it again', () => {
    const at = folder()
    const first = openSigner(at)
    expect(statSync(join(at, KEY_FILE)).mode & 0o777).toBe(0o600)
    expect(openSigner(at).text).toBe(first.text)
    expect(openSigner(folder()).text).not.toBe(first.text)
  })

  it('refuses a file that is no key of this kind', () => {
    const at = folder()
    writeFileSync(join(at, KEY_FILE), 'no key')
    expect(() => openSigner(at)).toThrow('cannot be used as the key of the queue')
    expect(readFileSync(join(at, KEY_FILE), 'utf8')).toBe('no key')
  })

  it.each(['', 'short', `${'a'.repeat(42)}!`])("refuses '%s' as a public key", (text) => {
    expect(() => publicKey(text)).toThrow('expected the 43 characters')
  })

  it('is opened by who has the public key of the workspace that signed it', () => {
    const signer = openSigner(folder())
    const job = jobOf(signer.workspace)
    const key = publicKey(signer.text)
    expect(key.workspace).toBe(signer.workspace)
    expect(openJob(signJob(job, signer), job.run.key, key)).toEqual(job)
    expect(openOwner(signOwner('me', signer), key)).toMatchObject({ name: 'me', ...ownVersions })
  })

  it('is refused where it is forged: another key, another text, no signature, another id, another workspace', () => {
    const [signer, other] = [openSigner(folder()), openSigner(folder())]
    const job = jobOf(signer.workspace)
    const { key: id } = job.run
    const signed = signJob(job, signer)
    const refused = 'is not signed by the workspace of this key'
    expect(() => openJob(signJob(job, other), id, signer)).toThrow(refused)
    expect(() => openJob({ ...signed, body: signed.body.replace('"v"', '"w"') }, id, signer)).toThrow(refused)
    expect(() => openJob({ body: signed.body, signature: '' }, id, signer)).toThrow(refused)
    for (const none of [null, 'text', {}, { body: 1 }]) expect(() => openJob(none, id, signer)).toThrow(refused)
    expect(() => openJob(signed, 'ef'.repeat(32), signer)).toThrow('is that of another run')
    expect(() => openJob(signJob(jobOf(other.workspace), signer), id, signer)).toThrow('is of another workspace')
    expect(() => openJob(signOwner('me', signer), id, signer)).toThrow('unknown form')
  })

  it('says in which version the sides differ', () => {
    expect(otherVersions(ownVersions)).toBeNull()
    expect(otherVersions({ ...ownVersions, mixlab: '9.9.9' })).toMatch(
      /^Mixlab 9\.9\.9 .*, here is Mixlab .*; install the same/,
    )
    expect(otherVersions({ ...ownVersions, numerics: 0 })).toContain('numerics 0')
  })
})

describe('what workers send', () => {
  const machine = { mixlab: '1', runtime: 'node', platform: 'linux', architecture: 'x64', cores: 1, threads: 1 }
  const head: Head = {
    ...{ machine: 'm', backend: 'simd', device: 'd', environment: environmentOn(machine), canary: 'c' },
    ...ownVersions,
  }
  const step = (step: number) => ({ event: { type: 'step', step, ms: 1 } as TrainEvent })
  const frame = (more: Partial<Frame>): Frame => ({ run: 'r', nonce: 'n', attempt: 1, first: 0, events: [], ...more })
  const begin = (attempt = 1) => frame({ attempt, head })
  const steps = (first: number, count: number, attempt = 1) =>
    frame({ attempt, first, events: Array.from({ length: count }, (_, i) => step(first + i + 1)) })

  const opened = (refuses: (head: Head) => string | null = () => null) => createInbox('r', 'n', refuses)

  describe('an inbox', () => {
    it('has the events of an attempt in their order, those that were sent twice once', () => {
      const inbox = opened()
      for (const [i, each] of [begin(), steps(0, 3), steps(0, 3), begin(), steps(2, 3)].entries())
        expect(inbox.take(`${i}`, each)).toBeNull()
      expect(inbox.attempt(1)?.events).toEqual([1, 2, 3, 4, 5].map(step))
    })
    it('refuses a result for another run, and one of an earlier job', () => {
      const inbox = opened()
      expect(inbox.take('1', { ...begin(), run: 'other' })?.why).toBe('a result of run other came for run r')
      expect(inbox.take('2', { ...begin(), nonce: 'old' })?.why).toBe('a result of an earlier job came for run r')
      expect(inbox.attempt(1)).toBeNull()
    })
    it('takes nothing of an attempt once a higher one has begun: a frame that is replayed changes nothing', () => {
      const inbox = opened()
      for (const each of [begin(), steps(0, 2), begin(2), steps(0, 1, 2), steps(2, 2), begin()]) inbox.take('1', each)
      expect(inbox.attempt(1)?.events).toHaveLength(2)
      expect(inbox.attempt(2)?.events).toHaveLength(1)
      expect(inbox.latest()).toBe(2)
    })
    it('does not believe a worker whose word is refused, whatever it sends', () => {
      const inbox = opened(() => 'it is of Mixlab 9')
      expect(inbox.take('1', begin())).toEqual({ why: 'm is not believed: it is of Mixlab 9', attempt: true })
      expect(inbox.take('2', steps(0, 2))).toBeNull()
      expect(inbox.attempt(1)).toBeNull()
    })
    it('believes neither of two workers that have one number, as a server that lost its last second may hand it out', () => {
      const inbox = opened()
      for (const each of [begin(), steps(0, 2)]) inbox.take('1', each)
      const other = frame({ head: { ...head, machine: 'other' } })
      expect(inbox.take('2', other)).toEqual({ why: 'm and other both made attempt 1 at run r', attempt: true })
      for (const each of [steps(0, 2), begin(), other]) expect(inbox.take('3', each)).toBeNull()
      expect(inbox.attempt(1)).toBeNull()
    })
    it('refuses events of an attempt that has not begun, and an attempt of which events were lost', () => {
      const inbox = opened()
      expect(inbox.take('1', steps(0, 1))?.why).toContain('which has not begun')
      inbox.take('2', begin())
      inbox.take('3', steps(0, 1))
      expect(inbox.take('4', steps(2, 1))).toMatchObject({ attempt: true })
      expect(inbox.attempt(1)).toBeNull()
    })
    it('forgets what is recorded, and names the entries that nobody needs any more', () => {
      const inbox = opened()
      for (const [i, each] of [begin(), steps(0, 2), steps(2, 2)].entries()) inbox.take(`${i}`, each)
      expect(inbox.recorded(1, 3)).toEqual(['1'])
      expect(inbox.attempt(1)).toMatchObject({ first: 3, events: [step(4)] })
      expect(inbox.held()).toBe(1)
    })
    it('goes on behind what was recorded before it was opened', () => {
      const inbox = opened()
      inbox.take('1', begin())
      inbox.take('2', steps(7, 2))
      expect(inbox.attempt(1)).toMatchObject({ first: 7, events: [step(8), step(9)] })
    })
  })

  describe('frames', () => {
    it('carry events as they are, their files beside them by SHA-256', async () => {
      const event: TrainEvent = { type: 'checkpoint', step: 3, weights: Uint8Array.of(1, 2), state: Uint8Array.of(3) }
      const { packed, files } = packEvent(event)
      const { events } = unpackFrame(packFrame(frame({ events: [packed, step(4)] })))
      expect(events[1]).toEqual(step(4))
      const read = async ({ sha256 }: { sha256: string }) =>
        files.find(({ name }) => name.sha256 === sha256)?.bytes ?? null
      expect(await unpackEvent(events[0] as (typeof events)[0], read)).toEqual(event)
      expect(await unpackEvent(events[0] as (typeof events)[0], async () => null)).toBeNull()
    })
    it('keep numbers that are not finite', () => {
      const event: TrainEvent = { type: 'metric', step: 1, name: 'loss', value: Number.NaN }
      expect(unpackFrame(packFrame(frame({ events: [{ event }] }))).events).toEqual([{ event }])
    })
    it.each([[Buffer.from('no frame')], [Buffer.alloc(0)], [packFrame({ ...frame({}), attempt: 0 })]])(
      'are refused where they are none',
      (bytes) => {
        expect(() => unpackFrame(bytes)).toThrow('frame: is none of this version of Mixlab')
      },
    )
  })
})

describe('the address of a queue', () => {
  it.each([
    ['redis://desk', null],
    [
      'redis://me:secret@desk',
      'its password is left out here: redis://user:password@host, or all of that in MIXLAB_QUEUE',
    ],
    ['redis://localhost', 'from elsewhere localhost is reached through ssh'],
    ['rediss://:secret@127.0.0.1:6380', /its password .*; from elsewhere 127.0.0.1 is reached through ssh/],
  ])('%s is shown without password, and it is said what is missing', (address, missing) => {
    expect(shownAddress(queueAddress(address, '--queue'))).not.toMatch(/secret|me/)
    if (missing === null) expect(leftOut(address)).toBeNull()
    else expect(leftOut(address)).toMatch(missing)
  })
})
