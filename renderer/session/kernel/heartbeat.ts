/** How often a kernel is asked whether it lives, in ms. */
export const BEAT = 1000

/** A kernel that is busy with a single long step is silent, too; after this many ms the page says so. */
export const SILENCE = 5000

/** What the page hears of a kernel. */
export interface Ear<Answer> {
  heard(answer: Answer): void
  /** No answer for so many ms, at least `SILENCE`; 0 once there is one again. */
  silent(ms: number): void
}

/** Asks for a sign of life again and again, until the returned function is called. */
export function listenTo<Answer>(ask: () => Promise<Answer>, ear: Ear<Answer>): () => void {
  let askedAt: number | null = null
  let silent = false
  const timer = setInterval(() => {
    if (askedAt === null) {
      askedAt = performance.now()
      ask().then(hear, () => {}) // a kernel that is killed is asked no more
      return
    }
    const ms = performance.now() - askedAt
    silent = ms >= SILENCE
    if (silent) ear.silent(ms)
  }, BEAT)

  function hear(answer: Answer): void {
    askedAt = null
    if (silent) ear.silent(0)
    silent = false
    ear.heard(answer)
  }

  return () => clearInterval(timer)
}
