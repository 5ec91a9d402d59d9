import type { Channel } from '../../engine/channel.ts'

/** Two channels that end in each other, as those of a thread and its owner do. */
export function pair(): [Channel, Channel] {
  const receivers: ((message: Uint8Array) => void)[] = []
  const side = (own: number, other: number): Channel => ({
    post: (message) => queueMicrotask(() => receivers[other]?.(message)),
    listen: (receive) => {
      receivers[own] = receive
    },
  })
  return [side(0, 1), side(1, 0)]
}
