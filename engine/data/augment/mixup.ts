/** Each example mixed with its partner in the reversed batch, weight * own + (1 - weight) * partner (Zhang et al. 2018). */
export function mixup(pixels: Float32Array, count: number, weight: number): Float32Array {
  const length = pixels.length / count
  return pixels.map((value, at) => {
    const i = Math.floor(at / length)
    const partner = pixels[at + (count - 1 - 2 * i) * length] as number
    return weight * value + (1 - weight) * partner
  })
}
