import { randomUUID } from 'node:crypto'
import { callByName, checkArguments } from '../../engine/call.ts'
import { unpack } from '../../engine/channel.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { type CapabilityRequest, type Host, kernelCalls } from '../../engine/host.ts'
import { checkValues } from '../bounded.ts'
import { type Capability, openCapability } from './capability.ts'

/** The capabilities of a host. */
export interface Capabilities {
  /** Opens one and returns its id, which cannot be guessed. */
  issue(asked: CapabilityRequest): string
  /** Makes a call of the kernel, of `host`. Throws MixlabError `permission` for an unknown capability, path `capability`. */
  call(host: Host, id: string, name: string, given: unknown[] | Uint8Array): unknown
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

/** Arguments as code of somebody else has packed them. Throws MixlabError `option`. */
function unpacked(name: string, given: Uint8Array): unknown[] {
  try {
    checkValues(given)
    const values = unpack(given)
    if (Array.isArray(values)) return values
  } catch (error) {
    throw new MixlabError('option', name, `its arguments cannot be read: ${messageOf(error)}`)
  }
  throw new MixlabError('option', name, 'its arguments are no list')
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
      const values = given instanceof Uint8Array ? unpacked(name, given) : given
      checkArguments(kernelCalls, name, values)
      return callByName(capability.over(host), name, values)
    },
    end: (id) => void open.delete(id),
    rename(from, to) {
      for (const each of open.values()) each.rename(from, to)
    },
  }
}
