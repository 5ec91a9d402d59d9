import type { Database } from '../database.ts'
import { claimOwner, type Owner, ownerLives } from './owner.ts'

/** Who trains the runs of a store. */
export interface Owners {
  /** The token of this process; null where it has not trained yet. */
  own(): string | null
  /** Whether the process of a token lives. */
  lives(token: string): boolean
  /** Makes this process an owner, and does `first`, if it is none yet. Returns its token. */
  claim(first: () => void): string
  /** Ends the runs whose process died as interrupted. Before every call, because a process can die at any time. */
  interruptOrphans(): void
  /** Ends the runs of this process that are still in training as interrupted. */
  interruptOwn(): void
  /** Lets go of the lock of this process, which says that it lives. */
  release(): void
}

/** The owners of the runs in a database, with their locks in `folder`. */
export function openOwners(database: Database, folder: string): Owners {
  let owner: Owner | null = null

  /** Ends the runs of an owner at `time`, or when each last recorded something. */
  function interruptRunsOf(token: string, time: number | null): void {
    database.run(
      `update run set status = 'interrupted', ended_at = max(recorded_at, coalesce(?, recorded_at))
       where status = 'running' and owner = ?`,
      time,
      token,
    )
  }

  return {
    own: () => owner?.token ?? null,
    lives: (token) => token === owner?.token || ownerLives(folder, token),
    claim(first) {
      if (owner) return owner.token
      owner = claimOwner(folder)
      first()
      return owner.token
    },
    interruptOrphans() {
      const owners = database.all<{ token: string }>(
        "select distinct owner as token from run where status = 'running' and owner <> ?",
        owner?.token ?? '',
      )
      for (const { token } of owners) if (!ownerLives(folder, token)) interruptRunsOf(token, null)
    },
    interruptOwn() {
      if (owner) interruptRunsOf(owner.token, Date.now())
    },
    release: () => owner?.release(),
  }
}
