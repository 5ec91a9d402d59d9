import type { Conformance } from '../../engine/conformance/index.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import type { PageCalls } from '../protocol/kernel.ts'

/** Compares a reference case as `checkConformance` does, which is loaded when it is first wanted. */
export async function checkLater(file: Uint8Array, name: string): Promise<Conformance> {
  const { checkConformance } = await import('../../engine/conformance/index.ts')
  return checkConformance(file, name)
}

/** The stored results of adapter checks. */
export type AdapterCheckCalls = Pick<PageCalls, 'selfTested' | 'selfTestCases' | 'noteSelfTest'>

/**
 * A few small reference cases on the current backend, at the first use of an adapter; the page remembers what came out.
 * Throws MixlabError `backend` for an adapter that computes something else.
 */
export async function checkAdapter(
  adapter: string,
  page: AdapterCheckCalls,
  check: (file: Uint8Array, name: string) => Promise<Pick<Conformance, 'passed' | 'worst'>> = checkLater,
): Promise<void> {
  const known = await page.selfTested(adapter)
  const why = known ? known.why : await failure(page, check)
  if (!known) await page.noteSelfTest(adapter, why)
  if (why !== null) throw new MixlabError('backend', '', `it does not pass its self-test: ${why}`)
}

/** What does not pass first; null where all do. */
async function failure(
  page: AdapterCheckCalls,
  check: Parameters<typeof checkAdapter>[2] = checkLater,
): Promise<string | null> {
  for (const { name, file } of await page.selfTestCases()) {
    try {
      const { passed, worst } = await check(file, name)
      if (!passed) return `${name}, ${worst.tensor}: ${worst.error.toExponential(1)}, at most ${worst.tolerance}`
    } catch (error) {
      return messageOf(error)
    }
  }
  return null
}
