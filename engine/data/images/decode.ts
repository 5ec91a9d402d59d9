import { MixlabError, messageOf } from '../../errors.ts'
import { decodeJpeg } from './file/jpeg-decoder.ts'
import { isJpeg } from './file/jpeg-file.ts'
import { orientationIn, upright } from './file/orientation.ts'
import { decodePng, isPng } from './file/png-file.ts'
import type { Image } from './resize.ts'

/**
 * Decodes a PNG or JPEG file to grey (1 channel) or RGB (3), turned upright by its EXIF data. Alpha is laid over white,
 * 16 bits are rounded to 8. Throws MixlabError `data` with `path`, the name of the file; also where its pixels take more than `MAX_FILE_MEMORY`.
 */
export function decodeImage(bytes: Uint8Array, path: string): Image {
  const fail = (message: string) => new MixlabError('data', path, message)
  if (bytes.length === 0) throw fail('empty file')
  const decode = isPng(bytes) ? decodePng : isJpeg(bytes) ? decodeJpeg : null
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
