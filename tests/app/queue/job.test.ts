import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Job, openJob, openOwner, otherVersions, ownVersions, signJob, signOwner } from '../../../app/queue/job.ts'
import { KEY_FILE, openSigner, publicKey } from '../../../app/queue/keys.ts'
import { freshFolder } from '../store/samples.ts'

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
