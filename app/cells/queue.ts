/** A queue of items that were put and not taken yet. */
export interface Queue<Item> {
  put(item: Item): void
  /** Nothing more is put; with an error, that is thrown once all has been taken. */
  end(error?: unknown): void
  /** All that was put since the last call, at least one; null at the end. One call at a time. */
  take(): Promise<Item[] | null>
}

export function createQueue<Item>(): Queue<Item> {
  let items: Item[] = []
  let ended: { error?: unknown } | null = null
  let changed = Promise.withResolvers<void>()
  return {
    put(item) {
      items.push(item)
      changed.resolve()
    },
    end(error) {
      ended = error === undefined ? {} : { error }
      changed.resolve()
    },
    async take() {
      if (items.length === 0 && !ended) {
        await changed.promise
      }
      changed = Promise.withResolvers()
      const taken = items
      items = []
      if (taken.length > 0) return taken
      if (ended && 'error' in ended) throw ended.error
      return null
    },
  }
}
