import { BUILTINS } from '../editor/builtins.ts'
import { openFind } from '../find/state.ts'
import { compareFork, fork } from '../fork/fork.ts'
import { compareMade } from '../history/MadeView.tsx'
import { notifies, setNotifies } from '../host/notifications.ts'
import { toggleModel } from '../model/state.ts'
import { madeAgain } from '../model/worker.ts'
import {
  addCell,
  changeKind,
  deleteCell,
  mergeBelow,
  moveCell,
  redo,
  select,
  selectBeside,
  undo,
} from '../session/actions.ts'
import { copyCell, cutCell, pasteAt } from '../session/clipboard.ts'
import type { PageCell } from '../session/edit.ts'
import { deleteNotebook } from '../session/files/bin.ts'
import { duplicateNotebook, newNotebook } from '../session/files/files.ts'
import { importJupyter } from '../session/files/importJupyter.ts'
import { save } from '../session/files/save.ts'
import { saveJupyter, saveReport } from '../session/files/share.ts'
import { toggleFold } from '../session/folds.ts'
import { follows, setFollows } from '../session/following.ts'
import { reveal } from '../session/reveal.ts'
import { interrupt, restart, runAll, runCells } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { openDialog } from '../ui/dialog.ts'
import { notify } from '../ui/notices.ts'
import { DATA_HASH, documentHash, MACHINES_HASH, PAPERS_HASH, runsHash, START_HASH } from '../ui/route.ts'
import { nextTheme, setTheme, useTheme } from '../ui/theme.ts'
import type { Command } from './command.ts'
import { showRunsOf } from './showRuns.ts'

/** Everything that can be done by keys or by name: palette, key handling and the list of keys are made of this table. */
export const COMMANDS: readonly Command[] = [
  ...grouped('Run', [
    writing('Run cell and go to the next', 'Shift+Enter', runAndGo),
    writing('Run cell', 'Mod+Enter', run),
    writing('Run cell and add one below', 'Alt+Enter', runAndAdd),
    page('Run all cells', [], () => void runAll()),
  ]),
  ...grouped('Cells', [
    cell('Write in cell', 'Enter', ({ key }) => select(key, true)),
    { ...cell('Leave the text of the cell', 'Escape', ({ key }) => select(key)), where: 'editor' },
    cell('Add cell above', 'A', (_, index) => addCell(index, 'code', false)),
    cell('Add cell below', 'B', (_, index) => addCell(index + 1, 'code', false)),
    cell('Delete cell', 'D D', ({ key }) => deleteCell(key)),
    walking('Undo', ['Mod+Z', 'Z'], undo),
    walking('Redo', ['Mod+Shift+Z', 'Mod+Y', 'Shift+Z'], redo),
    cell('Cut cell', 'X', cutCell),
    cell('Copy cell', 'C', copyCell),
    cell('Paste cell below', 'V', (_, index) => pasteAt(index + 1)),
    cell('Paste cell above', 'Shift+V', (_, index) => pasteAt(index)),
    cell('Move cell up', 'Alt+ArrowUp', ({ key }) => moveCell(key, -1)),
    cell('Move cell down', 'Alt+ArrowDown', ({ key }) => moveCell(key, 1)),
    cell('Merge with the cell below', 'Shift+M', ({ key }) => mergeBelow(key)),
    cell('Change to text', 'M', ({ key }) => changeKind(key, 'markdown')),
    cell('Change to code', 'Y', ({ key }) => changeKind(key, 'code')),
    cell('Change to raw text', 'R', ({ key }) => changeKind(key, 'raw')),
    cell('Change to SQL', 'S', ({ key }) => changeKind(key, 'sql')),
    cell('Fold or unfold the output', 'O', ({ id }) => toggleFold('output', id)),
    cell('Fold or unfold the code', 'Shift+O', ({ id }) => toggleFold('code', id)),
    cell('Compare with the code that made the output', 'Shift+C', compareMade),
    cell('Runs of this cell', 'T', showRunsOf),
    cell('Show or hide the model of the cell', 'G', ({ id }) => toggleModel(id)),
  ]),
  ...grouped('Fork', [
    cell('Compare a fork with the built-in block', 'Shift+D', compareFork),
    ...BUILTINS.map((block) => page(`Fork the built-in block ${block.name}`, [], () => void fork(block))),
  ]),
  ...grouped('Go', [
    cell('Go to the cell above', ['ArrowUp', 'K'], () => selectBeside(-1)),
    cell('Go to the cell below', ['ArrowDown', 'J'], () => selectBeside(1)),
    cell('Go to the first cell', 'Mod+Home', () => goTo(0)),
    cell('Go to the last cell', 'Mod+End', () => goTo(-1)),
    page('Go to the table of runs', [], () => location.assign(runsHash())),
    page('Go to the data', [], () => location.assign(DATA_HASH)),
    page('Go to the machines', [], () => location.assign(MACHINES_HASH)),
    page('Import journals of other machines', [], () => openDialog('import')),
    page('Go to the start page', [], () => location.assign(START_HASH)),
    page('Go to the claims of the papers', [], () => location.assign(PAPERS_HASH)),
    page('Go to the documents', [], () => location.assign(documentHash())),
    page('Find and replace in the notebook', ['Mod+F', 'F'], openFind),
  ]),
  ...grouped('Notebook', [
    page('Save', ['Mod+S'], () => void save()),
    page('New notebook', [], () => void newNotebook()),
    page('Rename the notebook', [], () => document.querySelector<HTMLInputElement>('.notebook-name')?.select()),
    page('Duplicate the notebook', [], () => onOpen(duplicateNotebook)),
    page('Delete the notebook', [], () => onOpen(deleteNotebook)),
    page('History of the notebook', [], () => openDialog('history')),
    page('Share as a report (HTML)', [], () => void saveReport(madeAgain)),
    page('Save as a Jupyter notebook', [], () => void saveJupyter(madeAgain)),
    page('Import a Jupyter notebook', [], importJupyter),
    page('All commands', ['Mod+Shift+P', 'P'], () => openDialog('palette')),
    page('Keys', ['H'], () => openDialog('keys')),
    page('Let cheap cells follow the cells they use, or not', [], toggleFollows),
    page('Notify at the end of training, or not', [], toggleNotifies),
    page('Change theme', [], () => setTheme(nextTheme(useTheme.getState().theme))),
  ]),
  ...grouped('Kernel', [
    page('Interrupt at the next step', ['I I'], () => interrupt()),
    page('Kill and restart the kernel', ['0 0'], restart),
    page('Check the reference cases on this backend', [], () => openDialog('conformance')),
  ]),
]

type Ungrouped = Omit<Command, 'group'>

function grouped(group: Command['group'], commands: Ungrouped[]): Command[] {
  return commands.map((command) => ({ ...command, group }))
}

function page(name: string, keys: string[], run: () => void): Ungrouped {
  return { name, keys, where: 'page', run }
}

function cell(name: string, keys: string | string[], act: (cell: PageCell, index: number) => void): Ungrouped {
  return { name, keys: [keys].flat(), where: 'cell', run: () => onSelected(act) }
}

function writing(name: string, keys: string, act: (cell: PageCell, index: number) => void): Ungrouped {
  return { ...cell(name, keys, act), where: 'writing' }
}

/** Brings into view what an undo or a redo has changed. */
function walking(name: string, keys: string[], walk: () => void): Ungrouped {
  const run = () => {
    walk()
    reveal()
  }
  return { name, keys, where: 'notebook', run }
}

/** Acts on the selected cell, if there is one, and brings into view what is selected then. */
function onSelected(act: (cell: PageCell, index: number) => void): void {
  const { cells, selected } = useNotebook.getState()
  const index = cells.findIndex(({ key }) => key === selected)
  const cell = cells[index]
  if (!cell) return
  act(cell, index)
  reveal()
}

function onOpen(act: (name: string) => Promise<void>): void {
  const { name } = useNotebook.getState()
  if (name !== null) void act(name)
}

/** Leaving the editor of a text shows it. */
function run({ id, key, kind }: PageCell): void {
  if (kind === 'code' || kind === 'sql') runCells([id])
  if (kind === 'markdown') select(key)
}

function runAndGo(cell: PageCell, index: number): void {
  run(cell)
  const next = useNotebook.getState().cells[index + 1]
  if (next) select(next.key)
  else if (cell.source) addCell(index + 1)
}

function runAndAdd(cell: PageCell, index: number): void {
  run(cell)
  addCell(index + 1)
}

function toggleFollows(): void {
  const { name } = useNotebook.getState()
  if (name === null) return
  setFollows(name, !follows(name))
  notify({ text: follows(name) ? 'Cells follow.' : 'Cells do not follow.' })
}

function toggleNotifies(): void {
  setNotifies(!notifies())
  notify({ text: notifies() ? 'You are notified at the end of training.' : 'No notifications.' })
}

/** Selects the cell at a place; -1 is the last. */
function goTo(place: number): void {
  const cell = useNotebook.getState().cells.at(place)
  if (cell) select(cell.key)
  reveal()
}
