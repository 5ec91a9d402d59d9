import type { MixingMatrix } from '../../weights/mixing.ts'

/** A matrix over tokens of a layer, of a run. */
export interface MixingRow extends MixingMatrix {
  run?: number
}

/** The name of a layer without what all have in common. */
export function layerOf(name: string): string {
  return name.replace(/\.(weight|toeplitz)$/, '')
}

/** The table behind drawings of matrices: a row for each of theirs, a column for each of their columns. */
export function tableOf(
  keys: [string, string],
  rows: { key: [string | number, string | number]; values: ArrayLike<number> }[],
): { columns: string[]; rows: (string | number | null)[][] } {
  const width = Math.max(0, ...rows.map(({ values }) => values.length))
  const places = Array.from({ length: width }, (_, i) => i)
  return {
    columns: [...keys, ...places.map(String)],
    rows: rows.map(({ key, values }) => [...key, ...places.map((i) => values[i] ?? null)]),
  }
}
