import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { BackendValues } from '@tensorflow/tfjs-core'

/** SHA-256 of bytes, or of a text as UTF-8, in hex. */
export function digest(content: Uint8Array | string): string {
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content))
}

/** SHA-256 of the values of a tensor. */
export function digestOfValues(values: BackendValues): string {
  if (!ArrayBuffer.isView(values)) return digest(JSON.stringify(values))
  return digest(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
}

/** SHA-256 of bytes that come piece by piece. */
export function runningDigest(): { add(bytes: Uint8Array): void; hex(): string } {
  const hash = sha256.create()
  return { add: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) }
}
