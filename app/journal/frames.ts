import { crc32 } from 'node:zlib'

/** Bytes before each content: its length, its CRC-32, and the CRC-32 of these two, in little-endian order. */
const HEAD_BYTES = 12

/** The longest content, in bytes. */
const MAX_BYTES = 2 ** 30

/** What is in a file of frames. */
export interface Frames {
  contents: Uint8Array[]
  /** Frames in between whose content is damaged. They are left out. */
  lost: number
  /** Whether a head is damaged: nothing behind it can be found. */
  damaged: boolean
}

/** A content with its length and checksums. */
export function frameOf(content: Uint8Array): Buffer {
  const frame = Buffer.alloc(HEAD_BYTES + content.length)
  frame.writeUInt32LE(content.length, 0)
  frame.writeUInt32LE(crc32(content), 4)
  frame.writeUInt32LE(crc32(frame.subarray(0, 8)), 8)
  frame.set(content, HEAD_BYTES)
  return frame
}

/** The frames of a file. The last one may be incomplete, because it is being written or was cut off: it is not read. */
export function framesIn(bytes: Buffer): Frames {
  const frames: Frames = { contents: [], lost: 0, damaged: false }
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at)
    frames.damaged = length > MAX_BYTES || crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32LE(at + 8)
    const end = at + HEAD_BYTES + length
    if (frames.damaged || end > bytes.length) break
    const content = bytes.subarray(at + HEAD_BYTES, end)
    if (crc32(content) === bytes.readUInt32LE(at + 4)) frames.contents.push(content)
    else frames.lost++
    at = end
  }
  return frames
}
