/** Collects items and hands them on together, at most every `interval` milliseconds. `flush` hands them on now. */
export function batch<T>(interval: number, send: (items: T[]) => void): { add(item: T): void; flush(): void } {
  let items: T[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let since = 0
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (items.length === 0) return
    const sent = items
    items = []
    send(sent)
  }
  const add = (item: T) => {
    items.push(item)
    if (timer !== null) {
      if (performance.now() - since > interval) flush() // a loop that never waits never comes to its timers
      return
    }
    since = performance.now()
    timer = setTimeout(flush, interval)
  }
  return { add, flush }
}
