import { type DecodedPng, decode as decodePng, hasPngSignature } from 'fast-png'
import { MixlabError, messageOf } from '../../errors.ts'
import { decodeJpeg } from './file/jpeg-decoder.ts'
import { isJpeg } from './file/jpeg-file.ts'
import { orientationIn, upright } from './file/orientation.ts'
import { checkedPng } from './file/png-file.ts'
import type { Image } from './resize.ts'

/**
 * Decodes a PNG or JPEG file to grey (1 channel) or RGB (3), turned upright by its EXIF data. Alpha is laid over white,
 * 16 bits are rounded to 8. Throws MixlabError `data` with `path`, the name of the file; also where its pixels take more than `MAX_FILE_MEMORY`.
 */
export function decodeImage(bytes: Uint8Array, path: string): Image {
  const fail = (message: string) => new MixlabError('data', path, message)
  if (bytes.length === 0) throw fail('empty file')
  const decode = hasPngSignature(bytes) ? fromPng : isJpeg(bytes) ? decodeJpeg : null
  if (!decode) throw fail('neither a PNG nor a JPEG file')
  try {
    return upright(decode(bytes), orientationIn(bytes) ?? 1)
  } catch (error) {
    throw fail(`cannot be decoded: ${messageOf(error)}`)
  }
}

/** The same image with 1 channel (luma of ITU-R BT.601) or 3 (grey repeated). */
export function withChannels(image: Image, channels: 1 | 3): Image {
  if (image.channels === channels) return image
  const count = image.width * image.height
  const pixels = new Uint8Array(count * channels)
  for (let i = 0; i < count; i++) {
    if (channels === 3) {
      pixels.fill(image.pixels[i] ?? 0, i * 3, i * 3 + 3)
    } else {
      const [red = 0, green = 0, blue = 0] = image.pixels.subarray(i * 3, i * 3 + 3)
      pixels[i] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
    }
  }
  return { ...image, channels, pixels }
}

function fromPng(file: Uint8Array): Image {
  const bytes = checkedPng(file)
  const header = new DataView(bytes.buffer)
  // The decoder takes packed samples of an interlaced file for bytes.
  if (header.getUint8(28) === 1 && header.getUint8(24) < 8)
    throw new Error('interlaced with fewer than 8 bits a sample')

  const png = decodePng(bytes, { checkCrc: true })
  const { width, height } = png
  const isPlain = png.depth === 8 && !png.palette && !png.transparency
  if (isPlain && (png.channels === 1 || png.channels === 3)) {
    return { width, height, channels: png.channels, pixels: new Uint8Array(png.data) }
  }
  const { samples, count, maximum } = png.palette && png.channels === 1 ? paletted(png) : unpacked(png)
  const channels = count < 3 ? 1 : 3
  const key = png.channels === channels ? png.transparency : undefined
  const pixels = new Uint8Array(width * height * channels)
  for (let i = 0; i < width * height; i++) {
    const at = i * count
    let opacity = count > channels ? (samples[at + channels] ?? 0) / maximum : 1
    if (key?.every((value, c) => value === samples[at + c])) opacity = 0
    for (let c = 0; c < channels; c++) {
      const value = (samples[at + c] ?? 0) / maximum
      pixels[i * channels + c] = Math.round(255 * (value * opacity + 1 - opacity))
    }
  }
  return { width, height, channels, pixels }
}

/** `count` samples a pixel in 0..maximum; the last of 2 or 4 is alpha. */
interface Samples {
  samples: ArrayLike<number>
  count: number
  maximum: number
}

/** Samples of 1, 2 and 4 bits come packed, each row from a new byte. */
function unpacked({ data, depth, width, height, channels }: DecodedPng): Samples {
  const maximum = 2 ** depth - 1
  if (depth >= 8) return { samples: data, count: channels, maximum }
  const row = width * channels
  const rowBytes = Math.ceil((row * depth) / 8)
  const samples = new Uint8Array(row * height)
  for (let i = 0; i < samples.length; i++) {
    const bit = (i % row) * depth
    const byte = data[Math.floor(i / row) * rowBytes + (bit >> 3)] ?? 0
    samples[i] = (byte >> (8 - depth - (bit & 7))) & maximum
  }
  return { samples, count: channels, maximum }
}

function paletted(png: DecodedPng): Samples {
  const palette = png.palette ?? []
  const indices = unpacked(png).samples
  const count = palette[0]?.length ?? 3
  const samples = new Uint8Array(indices.length * count)
  for (let i = 0; i < indices.length; i++) {
    const colour = palette[indices[i] ?? 0]
    if (!colour) throw new Error(`palette index ${indices[i]}, expected below ${palette.length}`)
    samples.set(colour, i * count)
  }
  return { samples, count, maximum: 255 }
}
