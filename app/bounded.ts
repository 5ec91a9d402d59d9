import type { Channel } from '../engine/channel.ts'

/**
 * The most values of one message, so that nothing else waits for long until it is read: the 10,000 runs that one capability
 * may begin have under a million.
 */
const MAX_VALUES = 2 ** 21
/** Lists and objects within each other. */
const MAX_DEPTH = 100
/** Characters of a text of JSON. */
const MAX_JSON_LENGTH = 2 ** 24

/** What each unit of a length stands for: bytes to skip, how much they count, and values that follow. */
const COUNTED = {
  bytes: { skip: 1, values: 0, follow: 0 },
  text: { skip: 1, values: 1 / 32, follow: 0 },
  numbers: { skip: 1, values: 1 / 8, follow: 0 }, // how the channel sends long arrays of them
  list: { skip: 0, values: 0, follow: 1 },
  object: { skip: 0, values: 0, follow: 2 },
}
type Kind = keyof typeof COUNTED
type Size = 1 | 2 | 4

const lengths = (kind: Kind, ...sizes: Size[]) => sizes.map((size) => ({ kind, size }))

/** What comes behind each tag of MessagePack from 0xc0 to 0xdf: so many bytes, or a length of such a size. */
const BEHIND: (number | { kind: Kind; size: Size })[] = [
  ...[0, 0, 0, 0], // null, unused, false, true
  ...lengths('bytes', 1, 2, 4),
  ...lengths('numbers', 1, 2, 4),
  ...[4, 8, 1, 2, 4, 8, 1, 2, 4, 8], // floats, whole numbers without and with a sign
  ...[2, 3, 5, 9, 17], // few numbers
  ...lengths('text', 1, 2, 4),
  ...lengths('list', 2, 4),
  ...lengths('object', 2, 4),
]

/** The same channel, on which a message of too many values is refused before it is read. */
export function boundedChannel({ post, listen }: Channel): Channel {
  return {
    post,
    listen: (receive) =>
      listen((message) => {
        checkValues(message)
        return receive(message)
      }),
  }
}

/** Throws for a message of MessagePack that has more than `most` values, or too many within each other. */
export function checkValues(message: Uint8Array, most = MAX_VALUES): void {
  const view = new DataView(message.buffer, message.byteOffset, message.length)
  let at = 0
  let values = 0
  const open = [1] // the values to come at each depth
  while (open.length > 0 && at < message.length) {
    const { kind, length, bytes } = headAt(view, at)
    const { skip, values: counted, follow } = COUNTED[kind]
    at += bytes + skip * length
    values += 1 + counted * length
    if (values > most) throw new Error(`a message of more than ${most} values`)
    open.push((open.pop() ?? 0) - 1, follow * length)
    while (open.at(-1) === 0) open.pop()
    if (open.length > MAX_DEPTH) throw new Error(`a message with more than ${MAX_DEPTH} lists within each other`)
  }
}

/** The value of a text of JSON from elsewhere; undefined for another text, and for one that is too long. */
export function valueOfJson(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What stands at a place: its kind and length, and how many bytes say so. */
function headAt(view: DataView, at: number): { kind: Kind; length: number; bytes: number } {
  const tag = view.getUint8(at)
  if (tag >= 0x80 && tag < 0x90) return { kind: 'object', length: tag & 0x0f, bytes: 1 }
  if (tag >= 0x90 && tag < 0xa0) return { kind: 'list', length: tag & 0x0f, bytes: 1 }
  if (tag >= 0xa0 && tag < 0xc0) return { kind: 'text', length: tag & 0x1f, bytes: 1 }
  const behind = BEHIND[tag - 0xc0] ?? 0 // others are small numbers themselves
  if (typeof behind === 'number') return { kind: 'bytes', length: behind, bytes: 1 }
  const { kind, size } = behind
  const length = size === 1 ? view.getUint8(at + 1) : size === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1)
  return { kind, length, bytes: 1 + size + (kind === 'numbers' ? 1 : 0) }
}
