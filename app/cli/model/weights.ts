import { MixlabError } from '../../../engine/errors.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import { type ChosenWeights, chosenWeights, type RequestedWeights } from '../../../engine/records/tested.ts'
import type { LocalHost } from '../../host.ts'
import type { Arguments, Option } from '../command.ts'

/** Options of the commands that take weights of a run. */
export const WEIGHTS_OPTIONS: Record<string, Option> = {
  weights: {
    value: 'W',
    help: 'of a run: tested (default, those of its test), best (on validation), last, or the steps of a snapshot',
  },
  best: { help: 'the same as --weights best' },
}

/** Which weights a call asks for; null where it says nothing. Throws MixlabError `option`. */
export function askedWeights({ options }: Arguments): RequestedWeights | null {
  const { weights, best } = options
  if (weights === undefined) return best === true ? 'best' : null
  const text = String(weights)
  if (best === true && text !== 'best') throw new MixlabError('option', '--weights', `'${text}' beside --best`)
  if (text === 'tested' || text === 'best' || text === 'last') return text
  if (/^\d+$/.test(text)) return Number(text)
  throw new MixlabError('option', '--weights', `'${text}', expected tested, best, last or a number of steps`)
}

/** The weights of a run that a call asks for, and which these are. Throws MixlabError `store` where it has none of them. */
export async function readAsked(
  run: StoredRunDetails,
  asked: RequestedWeights,
  host: LocalHost,
): Promise<{ chosen: ChosenWeights; weights: Uint8Array }> {
  const chosen = chosenWeights(run, await host.listWeights(run.id), asked)
  return { chosen, weights: await host.readWeights(run.id, chosen.which) }
}
