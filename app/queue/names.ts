/** What the words of both sides are; raised where one of an earlier Mixlab would be misread. */
export const PROTOCOL = 4

/**
 * Milliseconds after which a worker that renews its lock no more has lost it, and between two looks at locks.
 *
 * How long a run stands whose worker is gone: its lock runs out after LOCK_MS (8 s) at most. Whoever looks at locks next hands
 * it on; each worker looks every STALLED_CHECK_MS, but not where another one did less than that ago, so that between two looks
 * lie less than 2 * STALLED_CHECK_MS (6 s). That makes 14 s. Where the server is away at the same time, its connections are
 * back 1 s after it (connect.ts), and BullMQ looks at locks 5 s after an error and then every STALLED_CHECK_MS, twice as
 * above: 8 + 1 + 5 + 6 = 20 s after the server is back. The other 10 s of the 30 that are promised are those in which a
 * process starts and reads its state.
 */
export const LOCK_MS = 8000
export const STALLED_CHECK_MS = 3000
export const RENEW_MS = 2000

/** Milliseconds after which a command that says no more that it follows a run has left it to others. */
export const FOLLOWER_MS = 15_000

/** Options of every queue of BullMQ. */
export const PREFIX = 'mixlab'

/** What BullMQ calls the jobs of a workspace for a backend. Ids with `:` are refused there. */
export const queueName = (workspace: string, backend: string): string => `${workspace}-${backend}`

/** What else a workspace has in Redis. `run` is the key of a run. */
export function namesOf(workspace: string) {
  const name = (...parts: string[]) => [PREFIX, workspace, ...parts].join(':')
  return {
    /** Frames of events of all attempts at a run, a stream; its weights and states, by place; and what it goes on from. */
    frames: (run: string) => name('frames', run),
    objects: (run: string) => name('objects', run),
    resume: (run: string) => name('resume', run),
    /** Which command of the workspace follows a run; expires with the process that does. */
    follower: (run: string) => name('follower', run),
    /** Runs whose attempt up to a number is to end, and why. */
    cancelled: name('cancelled'),
    /** Notebooks and data, by SHA-256. */
    data: name('data'),
    /** Who serves the queue, by the time of the last sign of life; what each says of itself, and is told. */
    machines: name('machines'),
    machine: (id: string) => name('machine', id),
    told: (id: string) => name('told', id),
    /** Whose queue it is, signed. */
    owner: name('owner'),
  }
}

export type Names = ReturnType<typeof namesOf>
