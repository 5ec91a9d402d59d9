import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { QueueOfPage } from '../../host.ts'
import { writeAtomic } from '../../workspace/atomic.ts'
import { fileErrorCode, fileErrorReason } from '../../workspace/file-error.ts'
import type { Workspace } from '../../workspace/index.ts'
import { keepPrivate, PRIVATE } from '../../workspace/private.ts'
import { queueAddress, shownAddress } from '../address.ts'
import type { Watch } from './watch.ts'

/** The file in `.mixlab` with the address of the queue, which may have a password: its owner alone can read it. */
export const ADDRESS_FILE = 'queue.address'

/** The address that was set for the workspace with such an inner folder; null where there is none. Throws MixlabError. */
export function addressSet(inner: string): string | null {
  const path = join(inner, ADDRESS_FILE)
  try {
    keepPrivate(path)
    return queueAddress(readFileSync(path, 'utf8').trim(), path)
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return null
    if (error instanceof MixlabError) throw error
    throw new MixlabError('store', path, `cannot be read: ${fileErrorReason(error)}`)
  }
}

/** Sets the address, and forgets it where it is empty. Throws MixlabError. */
export function setAddress(inner: string, address: string): void {
  const path = join(inner, ADDRESS_FILE)
  const given = address.trim()
  if (given === '') rmSync(path, { force: true })
  else writeAtomic(path, Buffer.from(`${queueAddress(given, 'address')}\n`), PRIVATE)
}

/** The queue of a workspace as its page shows it, with a connection that stays as long as its address does. */
export function openQueueOfPage({ root, inner }: Workspace): QueueOfPage {
  let open: { address: string; watch: Promise<Watch> } | null = null

  function close(): void {
    void open?.watch.then((watch) => watch.close()).catch(() => {})
    open = null
  }

  async function watchAt(address: string): Promise<Watch> {
    if (open?.address !== address) close()
    open ??= { address, watch: import('./watch.ts').then(({ openWatch }) => openWatch(address, root)) }
    const { watch } = open
    watch.catch(close) // the next one tries again
    return watch
  }

  /** Throws MixlabError. */
  const addressNow = (): string | null => {
    const { MIXLAB_QUEUE: given } = process.env
    return given ? queueAddress(given, 'MIXLAB_QUEUE') : addressSet(inner)
  }

  return {
    async view() {
      const fromEnvironment = Boolean(process.env.MIXLAB_QUEUE)
      const nothing = { join: null, leftOut: null, error: null, jobs: { waiting: 0, active: 0, done: 0 }, machines: [] }
      let address: string | null = null
      try {
        address = addressNow()
        if (address === null) return { ...nothing, address, fromEnvironment }
        const watch = await watchAt(address)
        const [machines, jobs] = await watch.look()
        return {
          ...nothing,
          address: watch.address,
          fromEnvironment,
          join: watch.join,
          leftOut: watch.leftOut,
          jobs,
          machines,
        }
      } catch (error) {
        return { ...nothing, address: address && shownAddress(address), fromEnvironment, error: messageOf(error) }
      }
    },
    set: (address: string) => setAddress(inner, address),
    async tell(machine, order) {
      const address = addressNow()
      if (address === null) throw new MixlabError('option', 'queue', 'is not set for this workspace')
      const watch = await watchAt(address)
      await watch.tell(machine, order)
    },
    close,
  }
}
