import { MixlabError } from '../../engine/errors.ts'
import type { KeptWeights, WhichWeights } from '../../engine/records/store.ts'
import type { ReadParts } from './parts.ts'
import { checkRun } from './run.ts'
import { type Kind, listKept, objectOf } from './runObjects.ts'

/** The state that a run resumes from; null for none. Throws MixlabError `store` where it is lost. */
export function readState(store: ReadParts, id: number): Uint8Array | null {
  return readKept(store, id, 'state', 'its checkpoint is')
}

/** Weights of a run as a safetensors file. Throws MixlabError `store` where it has none. */
export function readWeights(store: ReadParts, id: number, which: WhichWeights = 'last'): Uint8Array {
  const bytes = readKept(store, id, which === 'last' ? 'weights' : which, 'its weights are')
  if (bytes) return bytes
  const what = typeof which === 'number' ? `weights of step ${which}` : which === 'best' ? 'best weights' : 'weights'
  throw new MixlabError('store', `run ${id}`, `has no ${what}`)
}

/** Which weights of a run there are, by step. Throws MixlabError `store` for an unknown run. */
export function listWeights(store: ReadParts, id: number): KeptWeights[] {
  hashOf(store, id, 'weights')
  return listKept(store, id)
}

/** An object that a run keeps; null where it keeps none of the kind. `name` is for errors. */
function readKept(store: ReadParts, id: number, kind: Kind | number, name: string): Uint8Array | null {
  for (let hash = hashOf(store, id, kind); hash !== null; ) {
    const bytes = store.objects.read(hash)
    if (bytes) return bytes
    // A newer checkpoint may have taken its place meanwhile.
    const newer = hashOf(store, id, kind)
    if (newer === hash) throw new MixlabError('store', `run ${id}`, `${name} missing: object ${hash}`)
    hash = newer
  }
  return null
}

function hashOf(store: ReadParts, id: number, kind: Kind | number): string | null {
  checkRun(store, id)
  return objectOf(store, id, kind)
}
