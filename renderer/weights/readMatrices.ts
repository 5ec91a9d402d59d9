import type { KeptWeights } from '../../engine/records/store.ts'
import { type MixingMatrix, mixingMatrices } from '../../engine/weights/mixing.ts'
import { readSafetensors, type SafetensorsFile } from '../../engine/weights/safetensors.ts'
import { externalMemories, relativePositions } from '../../engine/weights/tables.ts'
import { host } from '../host/state.ts'

/** How many weights are remembered, so that a slider goes back and forth without reading them again. */
const REMEMBERED = 64

const remembered = new Map<string, Promise<MixingMatrix[]>>()

/** What is drawn of weights as matrices; only those over tokens may have a grid. */
const READERS = {
  mixing: mixingMatrices,
  memories: ({ tensors }: SafetensorsFile) => externalMemories(tensors).map(gridless),
  relative: ({ tensors }: SafetensorsFile) => relativePositions(tensors).map(gridless),
}

export type MatrixKind = keyof typeof READERS

/** Matrices of weights of a run. Rejects with MixlabError `store` or `weights`. */
export function readMatrices(run: number, { which, step }: KeptWeights, kind: MatrixKind): Promise<MixingMatrix[]> {
  const key = `${run}/${which}/${step}/${kind}`
  const known = remembered.get(key)
  if (known) return known
  const read = host()
    .readWeights(run, which)
    .then((file) => READERS[kind](readSafetensors(file, `weights of run ${run}`)))
  read.catch(() => remembered.delete(key))
  remembered.set(key, read)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break
    remembered.delete(oldest)
  }
  return read
}

function gridless<Of extends object>(matrix: Of): Of & { grid: null } {
  return { ...matrix, grid: null }
}
