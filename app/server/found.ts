import { newToken, proofOf, recallAddress } from './address.ts'
import { createGate } from './gate.ts'

const PATIENCE = 5000 // ms; one that is busy with the store answers late

/**
 * Where the workspace in `folder` is served already, by the address in `file`, and at `wanted` if that is given; null
 * where nobody answers there, or another than its server, which learns no token by being asked.
 */
export async function findServed(file: string, folder: string, wanted?: number): Promise<string | null> {
  const { port, token } = recallAddress(file)
  if (port === 0 || (wanted ?? port) !== port) return null
  const question = newToken()
  try {
    const options = { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' } as const
    const reply = await fetch(`http://127.0.0.1:${port}/served?${question}`, options)
    return (await reply.text()) === proofOf(token, folder, question) ? createGate(port, token).url : null
  } catch {
    return null
  }
}
