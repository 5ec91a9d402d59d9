import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { PictureShape } from '../../engine/data/files.ts'
import { type KeptPictures, PIXELS } from '../../engine/data/images/pictures.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { PRIVATE } from '../workspace/private.ts'

// Decoded pictures in a folder of the workspace, by the digest of their file. A pack is a file of pictures of one shape that
// were decoded together; it is written whole and never changed, so that processes share packs without a lock.
//   bytes 0 to 15: MAGIC, how many pictures, bytes of each
//   then for each picture: SHA-256 of its file (32 bytes), CRC-32 of its pixels
//   then CRC-32 of all before, and the pixels

/** Bytes that all packs of a workspace may take; the ones that were used last stay. */
export const PICTURE_CACHE_BYTES = 2 * 2 ** 30
/** So many bytes are written between two looks at that. */
const TRIM_EVERY = 64 * 2 ** 20

const MAGIC = Buffer.from('MIXPICS1')
const HEAD = 16
const ENTRY = 36

interface Place {
  pack: string
  at: number
  sum: number
}

/** The picture cache in `folder`. It skips a damaged or missing pack, and keeps nothing in a folder that cannot be written. */
export function openPictureCache(folder: string, most = PICTURE_CACHE_BYTES): KeptPictures {
  const shapes = new Map<string, { packs: Set<string>; places: Map<string, Place> }>()
  const used = new Set<string>()
  let writable = true
  let unchecked = Number.POSITIVE_INFINITY // bytes written since the last look

  const folderOf = ({ size, channels }: PictureShape) => join(folder, `${size}x${channels}-${PIXELS}`)
  const lengthOf = ({ size, channels }: PictureShape) => size * size * channels

  /** The places of pictures of a shape; looks for new packs where `fresh`. */
  function placesOf(shape: PictureShape, fresh: boolean): Map<string, Place> {
    const own = folderOf(shape)
    const known = shapes.get(own)
    if (known && !fresh) return known.places
    const { packs, places } = known ?? { packs: new Set<string>(), places: new Map<string, Place>() }
    shapes.set(own, { packs, places })
    for (const name of namesIn(own)) {
      if (packs.has(name) || !name.endsWith('.pack')) continue
      packs.add(name)
      const pack = join(own, name)
      for (const [digest, place] of entriesOf(pack, lengthOf(shape)) ?? remove(pack)) places.set(digest, place)
    }
    return places
  }

  /** A pack of which one picture is damaged is not believed at all. */
  function forget(pack: string, places: Map<string, Place>): void {
    for (const [digest, place] of places) if (place.pack === pack) places.delete(digest)
    remove(pack)
  }

  function use(pack: string): void {
    if (used.has(pack)) return
    used.add(pack)
    try {
      utimesSync(pack, new Date(), new Date())
    } catch {
      // it cannot be written, and is not ours to remove either
    }
  }

  /** Removes the packs that were not used for longest until the others are few enough. */
  function trim(): void {
    const packs = namesIn(folder)
      .flatMap((shape) => namesIn(join(folder, shape)).map((name) => join(folder, shape, name)))
      .flatMap((path) => {
        const found = statSync(path, { throwIfNoEntry: false })
        return found ? [{ path, size: found.size, at: found.mtimeMs }] : []
      })
      .sort((a, b) => b.at - a.at)
    let sum = 0
    for (const { path, size } of packs) {
      sum += size
      if (sum > most) remove(path)
    }
  }

  let looked = '' // the shape and time of the last look for new packs
  return {
    find(digest, shape) {
      let place = placesOf(shape, false).get(digest)
      const now = `${folderOf(shape)} ${Math.floor(performance.now() / 1000)}`
      if (!place && now !== looked) {
        looked = now
        place = placesOf(shape, true).get(digest)
      }
      if (!place) return null
      const pixels = pixelsAt(place, lengthOf(shape))
      if (pixels) use(place.pack)
      else forget(place.pack, placesOf(shape, false))
      return pixels
    },
    keep(pictures, shape) {
      if (!writable) return
      const bytes = packOf(pictures, lengthOf(shape))
      const own = folderOf(shape)
      try {
        mkdirSync(own, { recursive: true })
        writeAtomic(join(own, `${randomUUID()}.pack`), bytes, PRIVATE)
        unchecked += bytes.length
        if (unchecked < TRIM_EVERY) return
        unchecked = 0
        trim()
      } catch {
        writable = false // the workspace cannot be written, or its disk is full
      }
    },
  }
}

/** Removes all that is kept in `folder`. Returns how many bytes that were. */
export function clearPictureCache(folder: string): number {
  const paths = namesIn(folder).flatMap((shape) =>
    namesIn(join(folder, shape)).map((name) => join(folder, shape, name)),
  )
  const bytes = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  rmSync(folder, { recursive: true, force: true })
  return bytes
}

function packOf(pictures: [digest: string, pixels: Uint8Array][], length: number): Buffer {
  const start = HEAD + ENTRY * pictures.length + 4
  const pack = Buffer.alloc(start + length * pictures.length)
  MAGIC.copy(pack)
  pack.writeUInt32LE(pictures.length, 8)
  pack.writeUInt32LE(length, 12)
  for (const [i, [digest, pixels]] of pictures.entries()) {
    pack.write(digest, HEAD + ENTRY * i, 'hex')
    pack.writeUInt32LE(crc32(pixels), HEAD + ENTRY * i + 32)
    pack.set(pixels, start + length * i)
  }
  pack.writeUInt32LE(crc32(pack.subarray(0, start - 4)), start - 4)
  return pack
}

/** The pictures of a pack by the digest of their file; null where it is none of pictures of `length` bytes, or is damaged. */
function entriesOf(pack: string, length: number): [string, Place][] | null {
  return reading(pack, (file) => {
    const head = bytesAt(file, 0, HEAD)
    const count = head.readUInt32LE(8)
    const start = HEAD + ENTRY * count + 4
    if (!head.subarray(0, 8).equals(MAGIC) || head.readUInt32LE(12) !== length) return null
    if (fstatSync(file).size !== start + length * count) return null
    const index = bytesAt(file, 0, start)
    if (crc32(index.subarray(0, start - 4)) !== index.readUInt32LE(start - 4)) return null
    return Array.from({ length: count }, (_, i): [string, Place] => {
      const at = HEAD + ENTRY * i
      const digest = index.toString('hex', at, at + 32)
      return [digest, { pack, at: start + length * i, sum: index.readUInt32LE(at + 32) }]
    })
  })
}

function pixelsAt({ pack, at, sum }: Place, length: number): Uint8Array | null {
  return reading(pack, (file) => {
    const pixels = bytesAt(file, at, length)
    return crc32(pixels) === sum ? pixels : null
  })
}

/** What is read of a file; null where it cannot be read. */
function reading<Value>(path: string, read: (file: number) => Value | null): Value | null {
  try {
    const file = openSync(path, 'r')
    try {
      return read(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

/** Throws where the file ends before. */
function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  if (readSync(file, bytes, 0, length, at) < length) throw new Error('too short')
  return bytes
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function remove(path: string): [] {
  try {
    rmSync(path, { force: true })
  } catch {
    // it stays, and is not believed
  }
  return []
}
