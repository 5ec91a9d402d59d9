import { messageOf } from '../../engine/errors.ts'
import { analyzeCells } from '../analysis/analysis.ts'
import { notify } from '../ui/notices.ts'
import { type PageCell, plainCells } from './edit.ts'
import { useNotebook } from './state.ts'

/** The cells that `facts` are of. */
let known: PageCell[] = []
let working: Promise<void> | null = null

/** Schedules an analysis of the cells after a change. */
export function analyzeSoon(): void {
  void analyzed()
}

/** Resolves once the cells have been analysed as they are then. */
export async function analyzed(): Promise<void> {
  while (useNotebook.getState().cells !== known) {
    working ??= analyze().finally(() => {
      working = null
    })
    await working
  }
}

/** What is known of cells that have changed meanwhile is shown, too: it is closer than what was known before. */
async function analyze(): Promise<void> {
  const { name, cells } = useNotebook.getState()
  try {
    const facts = await analyzeCells(plainCells(cells))
    if (useNotebook.getState().name === name) useNotebook.setState({ facts })
  } catch (error) {
    notify({ tone: 'bad', text: `The notebook was not analysed: ${messageOf(error)}` })
  }
  known = cells
}
