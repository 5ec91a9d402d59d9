/** Throws RangeError for an index that is not a whole number in 0..size-1. */
export function checkIndices(indices: ArrayLike<number>, size: number): void {
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`example ${index} is outside 0..${size - 1}`)
    }
  }
}
