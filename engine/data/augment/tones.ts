import { mapPixels, type Picture } from './picture.ts'

// Changes of single values, as PIL's ImageOps and timm; a byte there is 255 times a value here.

/** Each channel stretched so that its darkest value becomes 0 and its brightest 1. */
export function autoContrast(image: Picture): Picture {
  const { channels } = image
  const low = Array<number>(channels).fill(1)
  const high = Array<number>(channels).fill(0)
  for (let at = 0; at < image.pixels.length; at++) {
    const [value, channel] = [image.pixels[at] as number, at % channels]
    low[channel] = Math.min(low[channel] as number, value)
    high[channel] = Math.max(high[channel] as number, value)
  }
  return mapPixels(image, (value, at) => {
    const [from, to] = [low[at % channels] as number, high[at % channels] as number]
    return to > from ? (value - from) / (to - from) : value
  })
}

/** Each channel changed so that its histogram of 256 values is as even as can be. */
export function equalize(image: Picture): Picture {
  const { pixels, channels } = image
  const histograms = Array.from({ length: channels }, () => new Uint32Array(256))
  for (let at = 0; at < pixels.length; at++) {
    const [histogram, value] = [histograms[at % channels] as Uint32Array, byte(pixels[at] as number)]
    histogram[value] = (histogram[value] as number) + 1
  }
  const tables = histograms.map(evenly)
  return mapPixels(image, (value, at) => tables[at % channels]?.[byte(value)] ?? value)
}

/** The new value of each of 256; null for no change. */
function evenly(histogram: Uint32Array): number[] | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  const last = histogram.findLast((count) => count > 0) ?? 0
  const step = Math.floor((total - last) / 255)
  if (step === 0) return null
  let below = Math.floor(step / 2)
  return Array.from(histogram, (count) => {
    const value = Math.floor(below / step) / 255
    below += count
    return value
  })
}

export function invert(image: Picture): Picture {
  return mapPixels(image, (value) => 1 - value)
}

/** The first `bits` of eight bits kept. */
export function posterize(image: Picture, bits: number): Picture {
  return mapPixels(image, (value) => (byte(value) & (0xff << (8 - bits))) / 255)
}

/** Values from `threshold` on, in bytes, inverted. */
export function solarize(image: Picture, threshold: number): Picture {
  return mapPixels(image, (value) => (byte(value) < threshold ? value : 1 - value))
}

/** `amount`, in bytes, added to values in the lower half. */
export function solarizeAdd(image: Picture, amount: number): Picture {
  return mapPixels(image, (value) => (byte(value) < 128 ? value + amount / 255 : value))
}

function byte(value: number): number {
  return Math.round(value * 255)
}
