import { IMAGENET, type Picture } from './picture.ts'

/** The place (x, y) of the result is taken from (a x + b y + c, d x + e y + f) of the image. */
export type Affine = [a: number, b: number, c: number, d: number, e: number, f: number]

/**
 * An affine map with bicubic interpolation, as PIL's `Image.transform` but without rounding to bytes. What comes from
 * outside of the image is ImageNet's mean colour, as in timm; the mean of its channels where there are not three.
 */
export function warp(image: Picture, [a, b, c, d, e, f]: Affine): Picture {
  const { pixels, height, width, channels } = image
  const warped = new Float32Array(pixels.length)
  const clampX = (x: number) => Math.min(Math.max(x, 0), width - 1) * channels
  const clampY = (y: number) => Math.min(Math.max(y, 0), height - 1) * width * channels
  const weights = new Float64Array(16)
  const places = new Int32Array(16)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = a * (x + 0.5) + b * (y + 0.5) + c
      const fromY = d * (x + 0.5) + e * (y + 0.5) + f
      if (fromX < 0 || fromX >= width || fromY < 0 || fromY >= height) {
        for (let channel = 0; channel < channels; channel++, at++) {
          warped[at] = (channels === 3 ? IMAGENET.channels[channel] : undefined) ?? IMAGENET.mean
        }
        continue
      }
      const [left, top] = [Math.floor(fromX - 0.5), Math.floor(fromY - 0.5)]
      const across = cubic(fromX - 0.5 - left)
      const downward = cubic(fromY - 0.5 - top)
      for (let i = 0; i < 4; i++) {
        const row = clampY(top - 1 + i)
        for (let j = 0; j < 4; j++) {
          weights[i * 4 + j] = (downward[i] as number) * (across[j] as number)
          places[i * 4 + j] = row + clampX(left - 1 + j)
        }
      }
      for (let channel = 0; channel < channels; channel++, at++) {
        let value = 0
        for (let i = 0; i < 16; i++)
          value += (weights[i] as number) * (pixels[(places[i] as number) + channel] as number)
        warped[at] = Math.min(Math.max(value, 0), 1)
      }
    }
  }
  return { ...image, pixels: warped }
}

/** Weights of four neighbours for a place `t` in 0..1 between the second and the third (Keys 1981, a = -1 as in PIL). */
function cubic(t: number): [number, number, number, number] {
  const [t2, t3] = [t * t, t * t * t]
  return [-t + 2 * t2 - t3, 1 - 2 * t2 + t3, t + t2 - t3, -t2 + t3]
}

/** Turned counter-clockwise about the centre. */
export function rotate(image: Picture, degrees: number): Picture {
  const angle = (-degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [x, y] = [image.width / 2, image.height / 2]
  return warp(image, [cos, sin, x - cos * x - sin * y, -sin, cos, y + sin * x - cos * y])
}
