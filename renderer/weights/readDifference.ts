import type { KeptWeights } from '../../engine/records/store.ts'
import { type Change, changesOf, matrixDifferences } from '../../engine/weights/difference.ts'
import { type MixingMatrix, mixingMatrices } from '../../engine/weights/mixing.ts'
import { readSafetensors, type SafetensorsFile } from '../../engine/weights/safetensors.ts'
import { host } from '../host/state.ts'

/** Weights of a run. */
interface OfRun {
  run: number
  kept: KeptWeights
}

/** How far the weights of a run are from those of another. Rejects with MixlabError `store` or `weights`. */
export async function readDifference(
  first: OfRun,
  second: OfRun,
): Promise<{ changes: Change[]; matrices: MixingMatrix[] }> {
  const [a, b] = [await read(first), await read(second)]
  return {
    changes: changesOf(a.tensors, b.tensors, `run ${second.run}`),
    matrices: matrixDifferences(mixingMatrices(a), mixingMatrices(b)),
  }
}

async function read({ run, kept }: OfRun): Promise<SafetensorsFile> {
  return readSafetensors(await host().readWeights(run, kept.which), `weights of run ${run}`)
}
