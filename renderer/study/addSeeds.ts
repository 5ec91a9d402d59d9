import { MixlabError, messageOf } from '../../engine/errors.ts'
import { seedsAdded } from '../analysis/analysis.ts'
import type { StudyView } from '../protocol/study.ts'
import { setSource } from '../session/actions.ts'
import { analyzed } from '../session/analyzed.ts'
import { type PageCell, plainCells } from '../session/edit.ts'
import { runCells } from '../session/run.ts'
import { factsOf, useNotebook } from '../session/state.ts'
import { notify } from '../ui/notices.ts'

/**
 * Writes more seeds into the cell that defines a study, the one that shows it or another, and runs it. Where that would
 * change the code of variants, so that all their runs are trained again, the user is asked first.
 */
export async function addSeeds(shownBy: string, study: StudyView, more: number, anyway = false): Promise<void> {
  try {
    await analyzed()
    const { cells } = useNotebook.getState()
    const { cell, source } = await changed(cells, shownBy, study.study, more)
    if (useNotebook.getState().cells !== cells) return addSeeds(shownBy, study, more, anyway)
    const own = anyway ? [] : definedIn(cell, study)
    if (own.length > 0) {
      ask(own, () => void addSeeds(shownBy, study, more, true))
      return
    }
    setSource(cell.key, source)
    runCells([cell.id])
  } catch (error) {
    notify({ tone: 'bad', text: `No seeds were added. ${messageOf(error)}` })
  }
}

/** The variants whose code is in a cell. */
function definedIn({ id }: PageCell, { variants, blocks }: StudyView): string[] {
  const fingerprint = factsOf(useNotebook.getState(), id)?.fingerprint
  return variants.filter((variant) => fingerprint && blocks[variant] === fingerprint)
}

function ask(own: string[], run: () => void): void {
  const names = own.map((name) => `'${name}'`).join(' and ')
  const text = `The cell defines ${names} too, so that a change trains all their runs again; in a cell of its own it would not.`
  notify({ text, action: { label: 'Add seeds anyway', run } })
}

/** The cell that defines a study, and its text with more seeds. Throws MixlabError `notebook`. */
async function changed(
  cells: PageCell[],
  shownBy: string,
  study: string,
  more: number,
): Promise<{ cell: PageCell; source: string }> {
  const ours = cells.filter((cell) => cell.id === shownBy)
  const others = cells.filter((cell) => cell.kind === 'code' && cell.id !== shownBy && cell.source.includes('compare'))
  const found = await seedsAdded(plainCells([...ours, ...others]), study, more)
  const cell = cells.find(({ id }) => id === found?.cell)
  if (found && cell) return { cell, source: found.source }
  const call = `compare('${study}', { ... })`
  throw new MixlabError('notebook', study, `no cell says ${call}; change 'seeds' where the study is defined`)
}
