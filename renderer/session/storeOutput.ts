import { messageOf } from '../../engine/errors.ts'
import { host } from '../host/state.ts'
import { notify } from '../ui/notices.ts'
import { useNotebook } from './state.ts'

/** Stores what a cell shows, so that it is there again when the notebook is opened. */
export function storeOutput(id: string): void {
  const { name, states, fileDeleted } = useNotebook.getState()
  const state = states[id]
  if (!name || fileDeleted || !state?.output || state.fingerprint === null) return
  host()
    .writeOutput(name, { cell: id, fingerprint: state.fingerprint, output: state.output })
    .catch((error) => notify({ tone: 'bad', text: `The output of '${id}' was not stored: ${messageOf(error)}` }))
}
