import { messageOf } from '../../engine/errors.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { host } from '../host/state.ts'
import { notify } from '../ui/notices.ts'
import { runCells } from './run.ts'
import { useNotebook } from './state.ts'

/** Archives the attempts at runs and runs the cell of the open notebook that shows their study, which makes new ones. */
export async function trainAgainIn(cell: string, runs: readonly { id: number | null }[]): Promise<void> {
  const ids = runs.flatMap(({ id }) => id ?? [])
  try {
    await host().trainAgain(ids)
    runCells([cell])
  } catch (error) {
    notify({ tone: 'bad', text: `Nothing is trained again. ${messageOf(error)}` })
  }
}

/** Lets interrupted runs continue on another backend, which is recorded, and runs the cell that shows their study. */
export async function goOnHere(cell: string, runs: readonly { id: number | null }[], backend: string): Promise<void> {
  try {
    await host().changeBackend(
      runs.flatMap(({ id }) => id ?? []),
      backend,
    )
    runCells([cell])
  } catch (error) {
    notify({ tone: 'bad', text: `The runs stay where they are. ${messageOf(error)}` })
  }
}

/**
 * Archives the attempts at runs and runs those cells of the open notebook that made them, once each. The user is told what
 * cannot be run from here. Returns whether it went well; the store may have changed only then.
 */
export async function trainAgain(ids: number[], changed: () => void): Promise<boolean> {
  try {
    const runs = await host().showRuns(ids)
    const archived = await host().trainAgain(ids)
    const { name, cells } = useNotebook.getState()
    const here = new Set(runs.flatMap(({ origin }) => (origin && origin.notebook === name ? [origin.cell] : [])))
    const found = cells.filter(({ id, kind }) => kind === 'code' && here.has(id)).map(({ id }) => id)
    const rest = runs.filter(({ origin }) => !origin || origin.notebook !== name || !found.includes(origin.cell))
    runCells(found)
    changed()
    notify({
      text: [
        `${plural(archived.length, 'run')} archived.`,
        ...(found.length > 0 ? [`${found.length === 1 ? 'The cell' : 'The cells'} ${found.join(', ')} now runs.`] : []),
        ...(rest.length > 0 ? ['A study makes new ones when its cell is run.'] : []),
      ].join(' '),
      ...(found.length === 0 && {
        action: { label: 'Undo', run: () => void host().archiveRuns(archived, false).then(changed) },
      }),
    })
    return true
  } catch (error) {
    notify({ tone: 'bad', text: `Nothing is trained again. ${messageOf(error)}` })
    return false
  }
}
