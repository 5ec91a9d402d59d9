/** A heap of which the item that is before all others is taken first. */
export interface PriorityQueue<T> {
  push(item: T): void
  pop(): T | undefined
}

/** An empty binary heap in the order `before`. */
export function heap<T>(before: (a: T, b: T) => boolean): PriorityQueue<T> {
  const items: T[] = []
  const inOrder = (a: number, b: number) => !before(items[b] as T, items[a] as T)
  const swap = (a: number, b: number) => {
    const item = items[a] as T
    items[a] = items[b] as T
    items[b] = item
  }

  return {
    push: (item) => {
      let at = items.push(item) - 1
      for (let parent = (at - 1) >> 1; at > 0 && !inOrder(parent, at); parent = (at - 1) >> 1) {
        swap(parent, at)
        at = parent
      }
    },
    pop: () => {
      if (items.length > 1) swap(0, items.length - 1)
      const first = items.pop()
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        if (left >= items.length) return first
        const child = left + 1 < items.length && !inOrder(left, left + 1) ? left + 1 : left
        if (inOrder(at, child)) return first
        swap(at, child)
        at = child
      }
    },
  }
}
