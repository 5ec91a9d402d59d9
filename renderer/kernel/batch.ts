/** Collects items and hands them on together, at most every `interval` milliseconds. `flush` hands them on now. */
export function batch<T>(interval: number, send: (items: T[]) => void): { add(item: T): void; flush(): void } {
  let items: T[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
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
    timer ??= setTimeout(flush, interval)
  }
  return { add, flush }
}
