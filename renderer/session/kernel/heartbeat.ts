/** How often the page asks a kernel for a heartbeat, in ms. */
export const HEARTBEAT_MS = 1000

/** After this many ms without an answer the page says so; a kernel in a single long step does not answer, either. */
export const HEARTBEAT_TIMEOUT_MS = 5000

/** Called with the state of the heartbeat. */
export interface HeartbeatListener<Answer> {
  heard(answer: Answer): void
  /** No answer for so many ms, at least `HEARTBEAT_TIMEOUT_MS`; 0 once there is one again. */
  silent(ms: number): void
}

/** Asks for a heartbeat again and again, until the returned function is called. */
export function watchHeartbeat<Answer>(ask: () => Promise<Answer>, ear: HeartbeatListener<Answer>): () => void {
  let askedAt: number | null = null
  let silent = false
  const timer = setInterval(() => {
    if (askedAt === null) {
      askedAt = performance.now()
      ask().then(hear, () => {}) // a kernel that is killed is asked no more
      return
    }
    const ms = performance.now() - askedAt
    silent = ms >= HEARTBEAT_TIMEOUT_MS
    if (silent) ear.silent(ms)
  }, HEARTBEAT_MS)

  function hear(answer: Answer): void {
    askedAt = null
    if (silent) ear.silent(0)
    silent = false
    ear.heard(answer)
  }

  return () => clearInterval(timer)
}
