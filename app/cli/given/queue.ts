import { MixlabError } from '../../../engine/errors.ts'
import { queueAddress } from '../../queue/address.ts'
import type { Arguments } from '../command.ts'

/** The address of the queue that a call names, or the environment. Throws MixlabError `option` where there is none. */
export function queueOf(given: Arguments): string {
  const found = maybeQueueOf(given)
  if (found === null)
    throw new MixlabError('option', '--queue', 'missing, expected redis://host, here or in MIXLAB_QUEUE')
  return found
}

/** The same; null where there is none. */
export function maybeQueueOf({ options }: Arguments): string | null {
  if (options.queue !== undefined) return queueAddress(String(options.queue), '--queue')
  const set = process.env.MIXLAB_QUEUE
  return set ? queueAddress(set, 'MIXLAB_QUEUE') : null
}
