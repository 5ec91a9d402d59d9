import type { KeptWeights } from '../../engine/records/store.ts'
import { type MixingMatrix, mixingMatrices } from '../../engine/weights/mixing.ts'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { host } from '../host/state.ts'

/** How many weights are remembered, so that a slider goes back and forth without reading them again. */
const REMEMBERED = 64

const remembered = new Map<string, Promise<MixingMatrix[]>>()

/** The matrices over tokens of weights of a run. Rejects with MixlabError `store` or `weights`. */
export function readMatrices(run: number, { which, step }: KeptWeights): Promise<MixingMatrix[]> {
  const key = `${run}/${which}/${step}`
  const known = remembered.get(key)
  if (known) return known
  const read = host()
    .readWeights(run, which)
    .then((file) => mixingMatrices(readSafetensors(file, `weights of run ${run}`)))
  read.catch(() => remembered.delete(key))
  remembered.set(key, read)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break
    remembered.delete(oldest)
  }
  return read
}
