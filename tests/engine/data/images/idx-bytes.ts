/** An IDX file: magic 0x000008 and the number of dimensions, the dimensions, the values. */
export function idxBytes(shape: number[], values: ArrayLike<number>, magic = 0x0800 + shape.length): Uint8Array {
  const bytes = new Uint8Array(4 + 4 * shape.length + values.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic)
  for (const [i, length] of shape.entries()) view.setUint32(4 + 4 * i, length)
  bytes.set(values, 4 + 4 * shape.length)
  return bytes
}

/** `count` images of `height` x `width`, image i of the value i. */
export function idxImages(count: number, height = 2, width = 3): Uint8Array {
  const area = height * width
  return idxBytes(
    [count, height, width],
    Array.from({ length: count * area }, (_, i) => Math.floor(i / area)),
  )
}

export function idxLabels(labels: number[]): Uint8Array {
  return idxBytes([labels.length], labels)
}
