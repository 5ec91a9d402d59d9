import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { fileErrorCode, fileErrorReason } from '../workspace/file-error.ts'
import { keepPrivate, PRIVATE } from '../workspace/private.ts'

/** The file in `.mixlab` with the key pair of a workspace. */
export const KEY_FILE = 'queue.key'

/** Who a queue belongs to, as workers know it. */
export interface PublicKey {
  /** 32 bytes in base64url, which workers are given. */
  text: string
  /** Names the queue: the first 16 digits of the SHA-256 of the key. */
  workspace: string
  /** Whether a text was signed by the workspace. */
  signed(text: string, signature: string): boolean
}

/** The key pair of a workspace (Ed25519, RFC 8032). */
export interface Signer extends PublicKey {
  sign(text: string): string
}

const RAW = /^[\w-]{43}$/

/** A public key from its text. Throws MixlabError `option`. */
export function publicKey(text: string): PublicKey {
  const wrong = () =>
    new MixlabError('option', '--key', `'${text}', expected the 43 characters that 'mixlab machines' prints`)
  if (!RAW.test(text)) throw wrong()
  try {
    return fromKey(createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' }))
  } catch {
    throw wrong()
  }
}

/**
 * The key pair that is kept in a folder, private to its owner; made where there is none. Throws MixlabError `store` where
 * that cannot be.
 */
export function openSigner(folder: string): Signer {
  const path = join(folder, KEY_FILE)
  try {
    const secret = createPrivateKey(readOrMake(path))
    if (secret.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key')
    return {
      ...fromKey(createPublicKey(secret)),
      sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
    }
  } catch (error) {
    throw new MixlabError('store', path, `cannot be used as the key of the queue: ${fileErrorReason(error)}`)
  }
}

function readOrMake(path: string): string {
  try {
    keepPrivate(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') throw error
    const { privateKey } = generateKeyPairSync('ed25519')
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    writeAtomic(path, Buffer.from(text), PRIVATE)
    return text
  }
}

function fromKey(key: KeyObject): PublicKey {
  const text = String(key.export({ format: 'jwk' }).x)
  return {
    text,
    workspace: createHash('sha256').update(Buffer.from(text, 'base64url')).digest('hex').slice(0, 16),
    signed(given, signature) {
      try {
        return verify(null, Buffer.from(given), key, Buffer.from(signature, 'base64url'))
      } catch {
        return false
      }
    },
  }
}
