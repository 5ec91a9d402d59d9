import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { NotebookFile } from '../../../engine/host.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import { host, useConnection } from '../../host/state.ts'
import { plainCells } from '../edit.ts'
import { useNotebook } from '../state.ts'
import { storeOutput } from '../storeOutput.ts'
import { dropEntry, keepEntry } from './journal.ts'
import { mergeFile } from './merge.ts'

const AUTOSAVE_AFTER = 500 // ms without a change
const AUTOSAVE_WITHIN = 900 // ms of the first change, however fast somebody types
const JOURNAL_WITHIN = 200 // ms
const FILE_DELETED = 'its file was deleted'
const MAX_UNANSWERED = 4 // texts at most: one for each break of the connection

let timer: ReturnType<typeof setTimeout> | undefined
let journalTimer: ReturnType<typeof setTimeout> | undefined
/** When the first change that is not saved was made. */
let changedAt: number | null = null
let writing: Promise<void> | null = null
/** The notebook that the browser keeps for this page; another page may have something of its own to keep. */
let kept: string | null = null

/** Notes that the cells changed; within a second they are in the file, and before that in the browser's journal. */
export function changed(): void {
  useNotebook.setState({ saving: 'changed' })
  const now = Date.now()
  changedAt ??= now
  clearTimeout(timer)
  timer = setTimeout(() => void save(), Math.max(0, Math.min(AUTOSAVE_AFTER, changedAt + AUTOSAVE_WITHIN - now)))
  journalTimer ??= setTimeout(journal, JOURNAL_WITHIN)
}

/** Lets the browser keep what is not saved; what is saved it can forget. */
export function journal(): void {
  clearTimeout(journalTimer)
  journalTimer = undefined
  const { name, cells, revision, base, sent, saving } = useNotebook.getState()
  if (!name) return
  if (saving !== 'saved') {
    keepEntry(name, { cells: plainCells(cells), revision, base: base.text, sent: sent.map(({ text }) => text) })
    kept = name
  } else if (kept === name) {
    dropEntry(name)
    kept = null
  }
}

/** Saves now what is not saved yet. */
export async function save(): Promise<void> {
  clearTimeout(timer)
  changedAt = null
  while (writing) await writing
  const { saving, conflict, fileDeleted } = useNotebook.getState()
  if (fileDeleted && saving === 'changed') useNotebook.setState({ saving: 'failed', saveError: FILE_DELETED })
  if ((saving !== 'changed' && saving !== 'failed') || conflict || fileDeleted) return
  writing = write().finally(() => {
    writing = null
  })
  await writing
}

/** Looks whether the file was changed or deleted by someone else, or is back, and takes that over. */
export async function lookAtDisk(): Promise<void> {
  const { name, revision, saving, conflict } = useNotebook.getState()
  if (!name || revision === null || saving === 'saving' || conflict) return
  let file: NotebookFile
  try {
    file = await host().readNotebook(name)
  } catch (error) {
    if (!(await noteDeletedFile(name))) throw error
    return
  }
  const now = useNotebook.getState()
  if (now.name !== name || now.revision !== revision || now.conflict || now.saving === 'saving') return
  if (file.revision !== revision) takeOver(file)
  if (now.fileDeleted) comeBack()
}

/** Writes the notebook again whose file was deleted. */
export function writeAgain(): void {
  useNotebook.setState({ revision: null, saving: 'changed' })
  comeBack()
}

/** Saves what was held back while the file did not exist. */
export function comeBack(): void {
  useNotebook.setState({ fileDeleted: false })
  for (const id of Object.keys(useNotebook.getState().states)) storeOutput(id)
  void save()
}

/** Notes that a notebook has no file any more, if that is so; the cells stay on the page. */
async function noteDeletedFile(name: string): Promise<boolean> {
  const notebooks = await host()
    .listNotebooks()
    .catch(() => null)
  if (!notebooks || notebooks.includes(name)) return false
  useConnection.setState({ notebooks })
  if (useNotebook.getState().name === name) useNotebook.setState({ fileDeleted: true })
  return true
}

/** Brings the file and the page together, and saves the outcome. */
function takeOver(file: NotebookFile): void {
  mergeFile(file)
  if (useNotebook.getState().saving === 'changed') changed()
  journal()
}

async function write(): Promise<void> {
  const { name, cells, layout, revision } = useNotebook.getState()
  if (!name) return
  try {
    useNotebook.setState({ saving: 'saving' })
    const mine = { text: printNotebook(cells, layout), cells: plainCells(cells) }
    useNotebook.setState(({ sent }) => ({ sent: [...sent, mine].slice(-MAX_UNANSWERED) }))
    journal()
    const written = await host().writeNotebook(name, mine.text, revision)
    settle(name, { revision: written, base: mine, sent: [], saving: 'saved', saveError: null })
  } catch (error) {
    if (!(error instanceof MixlabError) || error.code !== 'notebook') {
      settle(name, { saving: 'failed', saveError: messageOf(error) })
    } else await resolveConflict(name, error)
  }
}

/** A write is also refused where an earlier one of ours was made and only its answer was lost; nothing is asked then. */
async function resolveConflict(name: string, refused: MixlabError): Promise<void> {
  const file = await host()
    .readNotebook(name)
    .catch(() => null)
  const now = useNotebook.getState()
  if (file && file.revision !== now.revision && now.name === name) return takeOver(file)
  const saveError = !file && (await noteDeletedFile(name)) ? FILE_DELETED : refused.message
  settle(name, { saving: 'failed', saveError })
}

/** Takes the result of a write over, unless the user has typed on or opened another notebook meanwhile. */
function settle(name: string, result: Partial<ReturnType<typeof useNotebook.getState>>): void {
  const now = useNotebook.getState()
  if (now.name !== name) return
  const { saving, ...rest } = result
  useNotebook.setState(now.saving === 'changed' || !saving ? rest : result)
  journal()
}
