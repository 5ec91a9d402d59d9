import { create } from 'zustand'
import { MixlabError } from '../../engine/errors.ts'
import type { Host, HostDescription } from '../../engine/host.ts'

export interface ConnectionState {
  /** `absent`: never reached so far; `refused`: it wants another token. */
  phase: 'connecting' | 'open' | 'lost' | 'absent' | 'refused'
  host: Host | null
  description: HostDescription | null
  notebooks: string[]
}

export const useConnection = create<ConnectionState>(() => ({
  phase: 'connecting',
  host: null,
  description: null,
  notebooks: [],
}))

/** The host. Throws MixlabError `backend` before the first connection. */
export function host(): Host {
  const known = useConnection.getState().host
  if (!known) throw new MixlabError('backend', '', 'the workspace is not connected yet')
  return known
}
