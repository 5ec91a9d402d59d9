/** A training among others that do their steps together; the others wait meanwhile. */
export interface Lane {
  /**
   * Waits until all lanes have come, and gives what `act` makes of what they gave; null stands for those that have left.
   * They come to the same thing each time, so that it does not matter whose `act` it is. Throws what it throws, in all lanes.
   */
  meet<Given, Result>(given: Given, act: (all: (Given | null)[]) => Promise<Result>): Promise<Result>
  /** It comes no more; the others go on. */
  leave(): void
}

/** A training by itself. */
export const ALONE: Lane = { meet: (given, act) => act([given]), leave: () => {} }

/** A lane that has come, and waits. */
interface Waiting {
  given: unknown
  act: (all: (never | null)[]) => Promise<unknown>
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/** A lane, and the turns of its training. */
export interface LaneInTurns extends Lane {
  /** The same events; what makes them runs while no other lane does, but for the steps that they do together. */
  inTurns<Event>(events: AsyncGenerator<Event>): AsyncGenerator<Event>
}

/**
 * So many trainings that do their steps together. In between one of them runs at a time, since the operations of tfjs share
 * their state: a training that records its code, for one, has another backend for a while.
 */
export function createLanes(count: number): LaneInTurns[] {
  const waiting = new Map<number, Waiting>()
  const present = new Set(Array.from({ length: count }, (_, lane) => lane))
  let turn = Promise.resolve()

  /** Waits for the turn; what it gives ends it. */
  async function takeTurn(): Promise<() => void> {
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    await before
    return resolve
  }

  /** Has the lanes act, once all that are present have come. */
  async function actTogether(): Promise<void> {
    if (waiting.size === 0 || waiting.size < present.size) return
    const come = [...waiting.values()]
    const all = Array.from({ length: count }, (_, lane) => (waiting.get(lane)?.given ?? null) as never)
    waiting.clear()
    const endTurn = await takeTurn()
    try {
      const result = await (come[0] as Waiting).act(all)
      for (const { resolve } of come) resolve(result as never)
    } catch (error) {
      for (const { reject } of come) reject(error)
    } finally {
      endTurn()
    }
  }

  return Array.from({ length: count }, (_, lane): LaneInTurns => {
    let endTurn = () => {}
    const leave = () => {
      if (present.delete(lane)) void actTogether()
    }
    return {
      leave,
      meet: async (given, act) => {
        endTurn()
        const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof act>>>()
        waiting.set(lane, { given, act, resolve, reject })
        void actTogether()
        try {
          return await promise
        } finally {
          endTurn = await takeTurn()
        }
      },
      inTurns: async function* (events) {
        const inTurn = async <Result>(work: () => Promise<Result>) => {
          endTurn = await takeTurn()
          try {
            return await work()
          } finally {
            endTurn()
          }
        }
        try {
          for (;;) {
            const next = await inTurn(() => events.next())
            if (next.done) return
            yield next.value
          }
        } finally {
          await inTurn(() => events.return(undefined))
          leave()
        }
      },
    }
  })
}
