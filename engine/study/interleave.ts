/**
 * Yields what several generators yield, as it comes; one that has yielded goes on once that is dealt with. Where one
 * throws, or the consumer stops, all are ended.
 */
export async function* interleave<T>(sources: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const step = async (source: AsyncGenerator<T>) => ({ source, result: await source.next() })
  const pending = new Map(sources.map((source) => [source, step(source)]))
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values())
      pending.delete(source)
      if (result.done) continue
      yield result.value
      pending.set(source, step(source)) // behind the others, so that none is left waiting
    }
  } finally {
    await Promise.all(sources.map((source) => source.return(undefined)))
  }
}
