import { MixlabError, messageOf } from '../../engine/errors.ts'
import { printNotebook } from '../../engine/notebook/print.ts'
import { host } from '../host/state.ts'
import { notify } from '../shell/notices.ts'
import { showText } from './open.ts'
import { useNotebook } from './state.ts'

const AUTOSAVE_AFTER = 500 // ms

let timer: ReturnType<typeof setTimeout> | null = null
let writing: Promise<void> | null = null

/** Notes that the cells changed; they are saved once no further change comes for half a second. */
export function changed(): void {
  useNotebook.setState({ saving: 'changed' })
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => void save(), AUTOSAVE_AFTER)
}

/** Saves now what is not saved yet. */
export async function save(): Promise<void> {
  if (timer !== null) clearTimeout(timer)
  timer = null
  while (writing) await writing
  const { saving, conflict } = useNotebook.getState()
  if ((saving !== 'changed' && saving !== 'failed') || conflict) return
  writing = write().finally(() => {
    writing = null
  })
  await writing
}

/** Overwrites the file with the cells of the page. */
export function keepMine(): void {
  const { conflict, name } = useNotebook.getState()
  if (!conflict || !name) return
  useNotebook.setState({ conflict: null, revision: conflict.revision, saving: 'changed' })
  void save()
  offerOther(name, conflict.text, 'The other version was replaced.')
}

/** Shows the file as it is on disk, in place of the cells of the page. */
export function takeTheirs(): void {
  const { conflict, cells, name } = useNotebook.getState()
  if (!conflict || !name) return
  const mine = printNotebook(cells)
  showText(conflict.text)
  useNotebook.setState({ conflict: null, revision: conflict.revision, saving: 'saved' })
  offerOther(name, mine, 'Your version was replaced.')
}

/** Looks whether the file was changed by someone else; shows it if nothing of ours would be lost. */
export async function lookAtDisk(): Promise<void> {
  const { name, revision, saving, conflict } = useNotebook.getState()
  if (!name || saving === 'saving' || conflict) return
  const file = await host().readNotebook(name)
  const now = useNotebook.getState()
  if (now.name !== name || now.revision !== revision || file.revision === revision) return
  if (now.saving !== 'saved') useNotebook.setState({ conflict: file })
  else {
    showText(file.text)
    useNotebook.setState({ revision: file.revision })
  }
}

async function write(): Promise<void> {
  const { name, cells, revision } = useNotebook.getState()
  if (!name) return
  try {
    useNotebook.setState({ saving: 'saving' })
    const text = printNotebook(cells)
    const written = await host().writeNotebook(name, text, revision)
    settle(name, { revision: written, saving: 'saved', saveError: null })
  } catch (error) {
    if (!(error instanceof MixlabError) || error.code !== 'notebook') {
      settle(name, { saving: 'failed', saveError: messageOf(error) })
    } else await resolveConflict(name, error)
  }
}

/** A write is also refused when our own text was written and only the answer was lost. */
async function resolveConflict(name: string, refused: MixlabError): Promise<void> {
  const file = await host()
    .readNotebook(name)
    .catch(() => null)
  const { cells, revision } = useNotebook.getState()
  if (!file || file.revision === revision) {
    settle(name, { saving: 'failed', saveError: refused.message })
  } else if (file.text === printNotebook(cells)) {
    settle(name, { revision: file.revision, saving: 'saved', saveError: null })
  } else settle(name, { saving: 'changed', conflict: file })
}

/** Takes the result of a write over, unless the user has typed on or opened another notebook meanwhile. */
function settle(name: string, result: Partial<ReturnType<typeof useNotebook.getState>>): void {
  const now = useNotebook.getState()
  if (now.name !== name) return
  const { saving, ...rest } = result
  useNotebook.setState(now.saving === 'changed' || !saving ? rest : result)
}

function offerOther(name: string, text: string, message: string): void {
  const run = () => {
    if (useNotebook.getState().name !== name) return
    showText(text)
    changed()
  }
  notify({ text: message, action: { label: 'Undo', run } })
}
