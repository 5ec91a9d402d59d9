import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { KeptWeights } from '../../engine/records/store.ts'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { withMatrices } from '../../engine/weights/toeplitz.ts'
import { host } from '../host/state.ts'
import { type HostAnswer, useAnswer } from '../host/useAnswer.ts'

/** A run that may be exported, and which weights it has. */
export interface Candidate {
  run: StoredRunDetails
  kept: KeptWeights[]
}

/** The runs that the panel is open for. */
export function useCandidates(ids: readonly number[]): HostAnswer<Candidate[]> {
  const training = (found: Candidate[]) => found.some(({ run }) => run.status === 'running')
  return useAnswer(
    ids.join(),
    async () => {
      const runs = await host().showRuns([...ids])
      return Promise.all(runs.map(async (run) => ({ run, kept: await host().listWeights(run.id) })))
    },
    training,
  )
}

/** Whether any of some runs has matrices of Toeplitz form, which its weights say, be its block built in or of a cell. */
export function useToeplitz(candidates: readonly Candidate[]): boolean {
  const kept = candidates.filter(({ kept }) => kept.some(({ which }) => which === 'last')).map(({ run }) => run)
  const ofVariants = [...new Map(kept.map((run) => [JSON.stringify([run.study, run.variant]), run.id])).values()]
  const { value } = useAnswer(ofVariants.join(), async () => {
    for (const id of ofVariants) {
      const { tensors } = readSafetensors(await host().readWeights(id), `run ${id}`)
      if (withMatrices(tensors).some((tensor, i) => tensor !== tensors[i])) return true
    }
    return false
  })
  return value === true
}
