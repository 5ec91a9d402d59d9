/** Longest time, in milliseconds, for which training holds the thread, so that messages and signals get in. */
const HOLD = 40

/** A function to await between steps: it lets waiting events in, but only when the thread was held for a while. */
export function pauses(): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < HOLD) return
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    last = performance.now()
  }
}
