import { mapPixels, type Picture } from './picture.ts'

// As PIL's ImageEnhance: factor * image + (1 - factor) * a version without what is enhanced; 1 changes nothing.

/** Against black. */
export function brightness(image: Picture, factor: number): Picture {
  return mapPixels(image, (value) => factor * value)
}

/** Against the mean brightness of the whole image. */
export function contrast(image: Picture, factor: number): Picture {
  let sum = 0
  for (let at = 0; at < image.pixels.length; at += image.channels) sum += grey(image, at)
  const mean = (sum * image.channels) / image.pixels.length
  return mapPixels(image, (value) => factor * value + (1 - factor) * mean)
}

/** Against the image in grey: the saturation. */
export function color(image: Picture, factor: number): Picture {
  const { channels } = image
  return mapPixels(image, (value, at) => factor * value + (1 - factor) * grey(image, at - (at % channels)))
}

/** Against the image smoothed over 3 x 3 pixels, the one in the middle counting five times; not at the border. */
export function sharpness(image: Picture, factor: number): Picture {
  const { pixels, height, width, channels } = image
  return mapPixels(image, (value, at) => {
    const place = Math.floor(at / channels)
    const y = Math.floor(place / width)
    const x = place - y * width
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) return value
    let sum = 4 * value
    for (let row = -width; row <= width; row += width) {
      for (let column = -1; column <= 1; column++) sum += pixels[at + (row + column) * channels] as number
    }
    return factor * value + ((1 - factor) * sum) / 13
  })
}

/** Brightness of the pixel that starts at `at` (ITU-R 601). */
function grey({ pixels, channels }: Picture, at: number): number {
  const [r, g, b] = [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number]
  return channels === 3 ? 0.299 * r + 0.587 * g + 0.114 * b : r
}
