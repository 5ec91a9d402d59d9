import type { KeptWeights } from '../../engine/records/store.ts'
import { type MixingMatrix, mixingMatrices } from '../../engine/weights/mixing.ts'
import { readSafetensors, type SafetensorsFile } from '../../engine/weights/safetensors.ts'
import { externalMemories, relativePositions } from '../../engine/weights/tables.ts'
import { host } from '../host/state.ts'

/** What is drawn of weights as matrices; only those over tokens may have a grid. */
const READERS = {
  mixing: mixingMatrices,
  memories: ({ tensors }: SafetensorsFile) => externalMemories(tensors).map(gridless),
  relative: ({ tensors }: SafetensorsFile) => relativePositions(tensors).map(gridless),
}

export type MatrixKind = keyof typeof READERS

/** Values that are remembered, of all runs together: 64 MB. A slider goes back and forth without reading them again. */
const MOST_VALUES = 16 * 2 ** 20

interface Remembered {
  run: number
  kind: MatrixKind
  kept: KeptWeights
  matrices: Promise<MixingMatrix[]>
  /** 0 until they are read. */
  values: number
}

const remembered = new Map<string, Remembered>()

/** Matrices of weights of a run. Rejects with MixlabError `store` or `weights`. */
export function readMatrices(run: number, kept: KeptWeights, kind: MatrixKind): Promise<MixingMatrix[]> {
  const { which, step } = kept
  const key = `${run}/${which}/${step}/${kind}`
  const known = remembered.get(key)
  if (known) return known.matrices
  const matrices = host()
    .readWeights(run, which)
    .then((file) => READERS[kind](readSafetensors(file, `weights of run ${run}`)))
  const entry: Remembered = { run, kind, kept, matrices, values: 0 }
  matrices.then(
    (found) => {
      entry.values = found.reduce((sum, { rows, columns }) => sum + rows * columns, 0)
      forget()
    },
    () => remembered.delete(key),
  )
  remembered.set(key, entry)
  return matrices
}

/** Those seen of a run while it trained, of which the store keeps the last ones alone. */
export function seenMatrices(run: number, kind: MatrixKind): KeptWeights[] {
  return [...remembered.values()].flatMap((each) =>
    each.run === run && each.kind === kind && each.values > 0 ? [each.kept] : [],
  )
}

function forget(): void {
  let values = [...remembered.values()].reduce((sum, each) => sum + each.values, 0)
  for (const [key, each] of remembered) {
    if (values <= MOST_VALUES) return
    remembered.delete(key)
    values -= each.values
  }
}

function gridless<Of extends object>(matrix: Of): Of & { grid: null } {
  return { ...matrix, grid: null }
}
