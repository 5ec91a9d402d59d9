/** Longest time, in milliseconds, for which training blocks the thread: messages and signals are handled after it. */
const MAX_BLOCKING_MS = 40

/** A function to await between steps. It yields to waiting events, but only when the thread was blocked for that long. */
export function eventYielder(): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < MAX_BLOCKING_MS) return
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    last = performance.now()
  }
}
