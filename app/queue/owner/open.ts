import { join } from 'node:path'
import type { BackendName } from '../../../engine/backends/types.ts'
import { messageOf } from '../../../engine/errors.ts'
import type { LocalHost } from '../../host.ts'
import { shownAddress } from '../address.ts'
import { trainCanary } from '../canary.ts'
import { openSigner } from '../keys.ts'
import { type OwnedQueue, openOwnedQueue } from './owner.ts'

/** The queue of the workspace in a folder, which is opened as `host`. Throws MixlabError. */
export function openWorkspaceQueue(
  address: string,
  host: LocalHost,
  folder: string,
  say: (line: string) => void,
): Promise<OwnedQueue> {
  const signer = openSigner(join(folder, '.mixlab'))
  let own: Promise<string | null> | null = null
  return openOwnedQueue({
    ...{ address, signer, host, folder, say },
    alone: () =>
      say(
        `queue: no machine works for this workspace; one joins by: mixlab work ${shownAddress(address)} --key ${signer.text}`,
      ),
    async canary({ machine, canary, backend }) {
      if (backend !== 'simd') return null // the bits of cards differ
      own ??= trainCanary(signer.workspace, backend as BackendName).catch((error) => {
        say(`queue: the canary cannot be trained here: ${messageOf(error)}`)
        return null
      })
      const expected = await own
      if (expected === null || expected === canary) return null
      return `${machine} computes other bits than this machine, by its canary: its runs say so`
    },
  })
}
