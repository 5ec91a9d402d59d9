/** An image of bytes: `pixels` is `[height, width, channels]`, flat. */
export interface Image {
  width: number
  height: number
  channels: 1 | 3
  pixels: Uint8Array
}

/** Resizes to the least that covers `height` and `width`, by default a square, and cuts the centre out, undistorted. */
export function resizeAndCrop(image: Image, height: number, width = height): Image {
  return resizedCentre(image, sizeToCover(image, height, width), height, width)
}

/** The least `[height, width]` of an image that covers `height` and `width`, undistorted. */
export function sizeToCover(image: Image, height: number, width: number): [height: number, width: number] {
  const isWide = image.width * height > image.height * width
  const [to, from] = isWide ? [height, image.height] : [width, image.width]
  const scaled = (side: number) => Math.floor((side * to) / from)
  return [Math.max(height, scaled(image.height)), Math.max(width, scaled(image.width))]
}

/** Resizes an image without cutting; see `resizedCentre`. */
export function resize(image: Image, width: number, height: number): Image {
  return resizedCentre(image, [height, width], height, width)
}

/**
 * The middle `height` x `width` of an image that is resized to `size`, of which no more is computed: all of a thin image may
 * be vast. Bilinear; when it shrinks, the triangle filter widens to the area that a pixel stands for, so that fine
 * patterns average out and do not alias (as Pillow and torchvision with `antialias=True`).
 */
export function resizedCentre(
  image: Image,
  [high, wide]: readonly [height: number, width: number],
  height: number,
  width: number,
): Image {
  const { channels } = image
  if (wide === image.width && high === image.height) return centreCrop(image, height, width)
  const across = resampleWeights(image.width, wide, Math.floor((wide - width) / 2), width)
  const down = resampleWeights(image.height, high, Math.floor((high - height) / 2), height)

  const top = down[0]?.first ?? 0
  const end = down.reduce((most, { first, weights }) => Math.max(most, first + weights.length), top)
  const stride = width * channels
  const rows = new Float32Array((end - top) * stride)
  for (let y = top; y < end; y++) {
    for (let x = 0; x < width; x++) {
      const tap = across[x]
      if (!tap) continue
      for (let c = 0; c < channels; c++) {
        let sum = 0
        for (let i = 0; i < tap.weights.length; i++) {
          const source = (y * image.width + tap.first + i) * channels + c
          sum += (tap.weights[i] ?? 0) * (image.pixels[source] ?? 0)
        }
        rows[(y - top) * stride + x * channels + c] = sum
      }
    }
  }

  const pixels = new Uint8Array(height * stride)
  for (let y = 0; y < height; y++) {
    const tap = down[y]
    if (!tap) continue
    for (let x = 0; x < stride; x++) {
      let sum = 0
      for (let i = 0; i < tap.weights.length; i++)
        sum += (tap.weights[i] ?? 0) * (rows[(tap.first - top + i) * stride + x] ?? 0)
      pixels[y * stride + x] = Math.round(sum)
    }
  }
  return { width, height, channels, pixels }
}

/** What is in the middle, by default a square; it must not exceed either side. */
export function centreCrop(image: Image, height: number, width = height): Image {
  const { channels } = image
  if (image.width === width && image.height === height) return image
  const left = Math.floor((image.width - width) / 2)
  const top = Math.floor((image.height - height) / 2)
  const pixels = new Uint8Array(height * width * channels)
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * image.width + left) * channels
    pixels.set(image.pixels.subarray(start, start + width * channels), y * width * channels)
  }
  return { width, height, channels, pixels }
}

/** For each output position, or `count` from `start`, the first input position it draws on and the weights from there on; they sum to 1. */
export function resampleWeights(
  from: number,
  to: number,
  start = 0,
  count = to,
): { first: number; weights: number[] }[] {
  const scale = from / to
  const reach = Math.max(1, scale)
  return Array.from({ length: count }, (_, position) => {
    const centre = (start + position + 0.5) * scale
    const first = Math.max(0, Math.floor(centre - reach + 0.5))
    const end = Math.min(from, Math.floor(centre + reach + 0.5))
    const raw = Array.from({ length: end - first }, (_, i) =>
      Math.max(0, 1 - Math.abs(first + i + 0.5 - centre) / reach),
    )
    const total = raw.reduce((sum, weight) => sum + weight, 0)
    return { first, weights: raw.map((weight) => weight / total) }
  })
}
