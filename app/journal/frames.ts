import { crc32 } from 'node:zlib'

/** Bytes before each frame: the length of its content and the CRC-32 of that, both in little-endian order. */
const HEAD_BYTES = 8

/** The longest content, in bytes; a greater length is that of something else. */
const MAX_BYTES = 2 ** 30

/** What is in a file of frames. */
export interface Frames {
  contents: Uint8Array[]
  /** The bytes at the end that are no whole frame: one that is being written, or was cut off. */
  cut: number
  /** Whether these are damaged, for more follows. */
  damaged: boolean
}

/** A content with its length and checksum. */
export function frameOf(content: Uint8Array): Buffer {
  const frame = Buffer.alloc(HEAD_BYTES + content.length)
  frame.writeUInt32LE(content.length, 0)
  frame.writeUInt32LE(crc32(content), 4)
  frame.set(content, HEAD_BYTES)
  return frame
}

/** The frames up to the first that is not whole. */
export function framesIn(bytes: Buffer): Frames {
  const contents: Uint8Array[] = []
  for (let at = 0; ; ) {
    const cut = bytes.length - at
    if (cut < HEAD_BYTES) return { contents, cut, damaged: false }
    const length = bytes.readUInt32LE(at)
    if (length > MAX_BYTES) return { contents, cut, damaged: true }
    if (cut < HEAD_BYTES + length) return { contents, cut, damaged: false }
    const content = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length)
    if (crc32(content) !== bytes.readUInt32LE(at + 4)) return { contents, cut, damaged: true }
    contents.push(content)
    at += HEAD_BYTES + length
  }
}
