/**
 * The exponential moving average of values, `weight` (0 to below 1) that of the past, freed of its bias to 0 at the
 * start as Adam does. A value that is not finite stays itself and changes nothing after it.
 */
export function smooth(values: number[], weight: number): number[] {
  let sum = 0
  let total = 0
  return values.map((value) => {
    if (!Number.isFinite(value)) return value
    sum = weight * sum + (1 - weight) * value
    total = weight * total + (1 - weight)
    return sum / total
  })
}
