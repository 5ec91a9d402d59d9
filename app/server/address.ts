import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { writeAtomic } from '../workspace/atomic.ts'
import { createGate } from './gate.ts'

/**
 * The port and token of a workspace's server. They are kept in a file, so that open pages find the server again after a
 * restart.
 */
export interface ServedAddress {
  /** 0: any that is free. */
  port: number
  token: string
}

const schema = z.object({ port: z.int().min(0).max(65535), token: z.string().regex(/^[\w-]{32,}$/) })

/** A token nobody can guess: 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * How a server of the workspace in `folder` answers `question`: only one that knows `token` can, and the answer does
 * not reveal it.
 */
export function proofOf(token: string, folder: string, question: string): string {
  return createHmac('sha256', token).update(`${question}\n${folder}`).digest('base64url')
}

/**
 * Reads the address in `file`, with a new token where `tokenAnew`. Makes a new address where the file is missing, or
 * where other users could have read it.
 */
export function recallAddress(file: string, tokenAnew = false): ServedAddress {
  try {
    // Windows has no such modes; there the folder's owner alone decides.
    const shared = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
    const known = shared ? null : schema.parse(JSON.parse(readFileSync(file, 'utf8')))
    if (known) return tokenAnew ? { ...known, token: newToken() } : known
  } catch {
    // A missing or damaged address costs open pages their token, nothing more.
  }
  return { port: 0, token: newToken() }
}

/** Keeps an address, readable by its owner alone. Throws the error of the file system. */
export function rememberAddress(file: string, address: ServedAddress): void {
  writeAtomic(file, JSON.stringify(address), 0o600)
}

/**
 * The URL of the server that already serves the workspace in `folder`, by the address in `file`, and only at port
 * `wanted` where that is given. Null where nothing answers, or something else does; the question gives the token to
 * nobody.
 */
export async function findServed(file: string, folder: string, wanted?: number): Promise<string | null> {
  const { port, token } = recallAddress(file)
  if (port === 0 || (wanted ?? port) !== port) return null
  const question = newToken()
  try {
    const options = { signal: AbortSignal.timeout(5000), redirect: 'error' } as const
    const reply = await fetch(`http://127.0.0.1:${port}/served?${question}`, options)
    return (await reply.text()) === proofOf(token, folder, question) ? createGate(port, token).url : null
  } catch {
    return null
  }
}
