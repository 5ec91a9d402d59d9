import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { writeAtomic } from '../workspace/atomic.ts'
import { createGate } from './gate.ts'

/** Where a workspace is served. It outlives the server, so that open pages find a restarted one again. */
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

/** What only a server with `token` of the workspace in `folder` answers to a `question`; the token cannot be read off it. */
export function proofOf(token: string, folder: string, question: string): string {
  return createHmac('sha256', token).update(`${question}\n${folder}`).digest('base64url')
}

/**
 * The address in `file`, with another token where one is wanted; a new one where there is none, or others than its owner
 * could have read it.
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
 * Where the workspace in `folder` is served already, by the address in `file`, and at `wanted` if that is given; null
 * where nobody answers there, or another than its server, which learns no token by being asked.
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
