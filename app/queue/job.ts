import { z } from 'zod'
import { count, list, plain, text, whole } from '../../engine/call.ts'
import { MixlabError } from '../../engine/errors.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { plannedRun } from '../../engine/records/store.ts'
import manifest from '../../package.json' with { type: 'json' }
import { valueOfJson } from '../bounded.ts'
import type { PublicKey, Signer } from './keys.ts'
import { PROTOCOL } from './names.ts'

/** Bytes of an object at most: no memory is as large, and who reads its parts makes a list of them. */
const MAX_OBJECT_BYTES = 2 ** 36

/** Names an object: its SHA-256 and its bytes. */
export const objectName = z.strictObject({ sha256: text.regex(/^[\da-f]{64}$/), size: count.max(MAX_OBJECT_BYTES) })
export type ObjectName = z.output<typeof objectName>

const versions = { protocol: count, mixlab: text, numerics: count }

const body = z.strictObject({
  ...versions,
  workspace: text,
  /** Random, of this job alone: what is sent for an earlier one is refused. */
  nonce: text,
  /** The attempts that were made before, elsewhere: that of the queue's first one has the next number. */
  base: count,
  run: plannedRun,
  /** The study that is trained, of which the run is, or of one that it starts from. */
  study: text,
  options: z.strictObject({
    quick: z.boolean().optional(),
    only: list(text).optional(),
    seeds: z.union([count, list(whole)]).optional(),
  }),
  backend: text,
  notebook: objectName,
  /** Which data it reads. */
  files: objectName,
  /** The finished runs that it starts from, with their weights among the data. */
  before: list(z.strictObject({ run: plain<StoredRun>(), last: objectName.optional(), best: objectName.optional() })),
})
/** A run as a queue hands it out; its state and its data are objects beside it. */
export type Job = z.output<typeof body>

const owner = z.strictObject({ ...versions, workspace: text, name: text })
/** Whose queue it is. */
export type Owner = z.output<typeof owner>

const signed = z.object({ body: text, signature: text })
/** What was signed by a workspace. */
export type Signed = z.output<typeof signed>

/** The versions that both sides need to have in common. */
export const ownVersions = { protocol: PROTOCOL, mixlab: manifest.version, numerics: NUMERICS }

export function signJob(job: Job, signer: Signer): Signed {
  return signText(JSON.stringify(job), signer)
}
export function signOwner(name: string, signer: Signer): Signed {
  return signText(JSON.stringify({ ...ownVersions, workspace: signer.workspace, name } satisfies Owner), signer)
}
const signText = (body: string, signer: Signer): Signed => ({ body, signature: signer.sign(body) })

/** A job under the id of its run. Throws MixlabError `permission` where the workspace has not signed it so. */
export function openJob(given: unknown, id: string, key: PublicKey): Job {
  const job = openSigned(given, body, `job ${id.slice(0, 8)}`, key)
  if (job.run.key !== id) throw new MixlabError('permission', `job ${id.slice(0, 8)}`, 'is that of another run')
  return job
}

/** Throws MixlabError `permission` where the workspace has not signed it. */
export function openOwner(given: unknown, key: PublicKey): Owner {
  return openSigned(given, owner, 'owner of the queue', key)
}

function openSigned<Body extends { workspace: string }>(
  given: unknown,
  schema: z.ZodType<Body>,
  what: string,
  key: PublicKey,
): Body {
  const found = signed.safeParse(given)
  if (!found.success || !key.signed(found.data.body, found.data.signature))
    throw new MixlabError('permission', what, 'is not signed by the workspace of this key')
  const parsed = schema.safeParse(valueOfJson(found.data.body))
  if (!parsed.success) throw new MixlabError('permission', what, 'has an unknown form, as of another version of Mixlab')
  if (parsed.data.workspace !== key.workspace) throw new MixlabError('permission', what, 'is of another workspace')
  return parsed.data
}

/** How the versions of one side differ from ours, in words; null where they are the same. */
export function otherVersions({ protocol, mixlab, numerics }: typeof ownVersions): string | null {
  const own = ownVersions
  if (protocol === own.protocol && mixlab === own.mixlab && numerics === own.numerics) return null
  const named = (v: typeof own) => `Mixlab ${v.mixlab} (numerics ${v.numerics}, queue ${v.protocol})`
  return `${named({ protocol, mixlab, numerics })}, here is ${named(own)}; install the same on both`
}
