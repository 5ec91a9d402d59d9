import { randomUUID } from 'node:crypto'
import { callByName, checkArguments } from '../../engine/call.ts'
import { MixlabError } from '../../engine/errors.ts'
import { type CapabilityRequest, type Host, kernelCalls } from '../../engine/host.ts'
import { type Capability, openCapability } from './capability.ts'

/** The capabilities of a host. */
export interface Capabilities {
  /** Opens one and returns its id, which cannot be guessed. */
  issue(asked: CapabilityRequest): string
  /** Makes a call of the kernel, of `host`. Throws MixlabError `permission` for an unknown capability, path `capability`. */
  call(host: Host, id: string, name: string, given: unknown[]): unknown
  end(id: string): void
  /** Another name for a notebook. */
  rename(from: string, to: string): void
}

/** A page has one or two. Above this number the oldest are forgotten: their pages never ended them. */
const MAX_CAPABILITIES = 1000

const known = new WeakMap<Host, Capabilities>()

/** The capabilities of a host, the same for all its connections. */
export function capabilitiesOf(host: Host): Capabilities {
  const made = known.get(host) ?? openCapabilities()
  known.set(host, made)
  return made
}

function openCapabilities(): Capabilities {
  const open = new Map<string, Capability>()
  return {
    issue(asked) {
      const id = randomUUID()
      open.set(id, openCapability(asked))
      for (const first of [...open.keys()].slice(0, -MAX_CAPABILITIES)) open.delete(first)
      return id
    },
    call(host, id, name, given) {
      const capability = open.get(id)
      if (!capability) throw new MixlabError('permission', 'capability', 'has ended')
      checkArguments(kernelCalls, name, given)
      return callByName(capability.over(host), name, given)
    },
    end: (id) => void open.delete(id),
    rename(from, to) {
      for (const each of open.values()) each.rename(from, to)
    },
  }
}
