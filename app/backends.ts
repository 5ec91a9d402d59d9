import { cpus } from 'node:os'
import * as tf from '@tensorflow/tfjs'
import type { BackendInfo } from '../engine/backends/types.ts'
import { MixlabError, suggest } from '../engine/errors.ts'

/** What can execute tensors outside of a browser. */
const backends = ['cpu'] as const

/** Makes `name` the backend of this process. Throws MixlabError `backend` for one that needs a browser. */
export async function useBackend(name = 'cpu'): Promise<BackendInfo> {
  const found = backends.find((known) => known === name)
  if (!found) {
    const why = ['webgpu', 'webgl'].includes(name) ? 'needs a browser; use it in the workbench' : 'unknown'
    throw new MixlabError('backend', '--backend', `'${name}' ${why}${suggest(name, backends)}`)
  }
  tf.enableProdMode() // keeps tfjs from advertising another package on stdout
  await tf.setBackend(found)
  return { name: found, device: cpus()[0]?.model.trim() ?? 'unknown processor' }
}
