import type { BackendName } from '../../../engine/backends/types.ts'
import type { Host, StartedCell } from '../../../engine/host.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import type { Cell, NotebookFacts } from '../../../engine/notebook/types.ts'
import { analyzeCells } from '../../analysis/analysis.ts'
import { host } from '../../host/state.ts'
import { openKernelSession } from '../kernel/kernelSession.ts'

/** One cell at a time continues in the background. */
let busy = false

/**
 * Goes on with a cell of a notebook that is not open here, in a kernel of its own, if its code has not changed and nobody
 * else takes it. Pages that show the notebook show it like cells that other pages run.
 */
export async function continueInBackground(started: StartedCell): Promise<void> {
  await whereUnchanged(started, host(), async (cells, facts) => {
    const { notebook, cell, backend } = started
    if (!(await host().takeStarted(notebook, cell))) return
    const keeper = openKernelSession({ host: host(), notebook, wanted: backend as BackendName | null })
    await keeper.goOn(started, cells, facts)
    await keeper.end('it has ended')
  })
}

/** Calls `goOn` with the cells of the notebook of a started one, unless its code has changed or another goes on already. */
export async function whereUnchanged(
  { notebook, cell, fingerprint }: StartedCell,
  host: Host,
  goOn: (cells: Cell[], facts: NotebookFacts) => Promise<void>,
): Promise<void> {
  if (busy) return
  busy = true
  try {
    const cells = parseNotebook((await host.readNotebook(notebook)).text)
    const facts = await analyzeCells(cells)
    if (facts.cells.find(({ id }) => id === cell)?.fingerprint === fingerprint) await goOn(cells, facts)
  } catch {
    // The notebook was deleted, or the host is away; the user who opens it is asked.
  } finally {
    busy = false
  }
}
