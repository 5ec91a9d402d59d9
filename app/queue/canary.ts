import type { BackendName } from '../../engine/backends/types.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import type { RecordedEvent } from '../../engine/records/events.ts'
import { spawnCells } from '../cells/spawn.ts'
import { hasCard, machineWith } from '../machine.ts'
import { sha256 } from './objects.ts'
import { askedOf } from './slot.ts'

/** A study of five steps, on shapes that are drawn; each workspace has a seed of its own, so that nobody knows the result before. */
const notebook = (seed: number) => `// %% canary
import { compare, gmlp, image, shapes } from 'mixlab'
export const canary = compare('canary', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 16, ffn: 32, depth: 2 },
  variants: { gmlp: gmlp() },
  train: { steps: 5, batch: 16 },
  seeds: [${seed}],
})
`

/**
 * Trains the canary of a workspace on a backend, in a process of its own, and returns the SHA-256 of its weights: on `simd`
 * it is the same on every machine. Throws MixlabError `backend` where it is not trained.
 */
export async function trainCanary(workspace: string, backend: BackendName): Promise<string> {
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => {})
  const failed = (why: string) => over.reject(new MixlabError('backend', 'canary', why))
  let hash: string | null = null
  const note = (event: RecordedEvent) => {
    if (event.type === 'failed') failed(event.message)
    if (event.type === 'checkpoint') hash = sha256(event.weights)
  }
  const asked = askedOf({
    ...{ print: async () => {}, planned: async () => {}, starting: async () => {}, admitRuns: async () => {} },
    ...{ findDone: async () => [], findResumable: async () => [], lookAt: async () => [], readState: async () => null },
    ...{
      doubtRuns: async () => {},
      recordDesign: async () => {},
      earlierDesigns: async () => [],
      standingOf: async () => [],
    },
    showReadouts: async () => [],
    beginRun: async () => ({ id: 1, epoch: 1 }),
    async record(_, events) {
      events.forEach(note)
      return { ms: 0, stop: false }
    },
  })
  const { remote, kill } = spawnCells(false, asked, () => {}, failed)
  async function train(): Promise<void> {
    const seed = Number.parseInt(workspace.slice(0, 7), 16)
    const start = { notebook: notebook(seed), backend, card: hasCard(), threads: 1, places: 1, trusted: false }
    await remote.open(start)
    await remote.studies()
    await remote.begin(0, { machine: machineWith(1), move: false })
    while (await remote.next());
  }
  try {
    await Promise.race([train(), over.promise])
    if (hash === null) throw new MixlabError('backend', 'canary', 'left no weights')
    return hash
  } catch (error) {
    throw error instanceof MixlabError ? error : new MixlabError('backend', 'canary', messageOf(error))
  } finally {
    kill()
  }
}
