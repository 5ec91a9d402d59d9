import { Suspense, useEffect, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { NotebookVersion } from '../../engine/host.ts'
import { printNotebook } from '../../engine/notebook/print.ts'
import type { Cell } from '../../engine/notebook/types.ts'
import { DiffView } from '../editor/load.ts'
import { host } from '../host/state.ts'
import { takingBack } from '../session/actions.ts'
import { plainCells } from '../session/edit.ts'
import { changed } from '../session/files/save.ts'
import { showCells, showText } from '../session/open.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogHead } from '../ui/Dialog.tsx'
import { closeDialog } from '../ui/dialog.ts'
import { notify } from '../ui/notices.ts'

/** The earlier texts of the open notebook, each beside the text it has now. */
export function HistoryView() {
  const name = useNotebook((state) => state.name)
  const [versions, setVersions] = useState<NotebookVersion[] | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const [text, setText] = useState<string | null>(null)
  const [now] = useState(() => printed())

  useEffect(() => {
    if (name) load(host().listVersions(name), setVersions)
  }, [name])
  useEffect(() => setAt(versions?.[0]?.at ?? null), [versions])
  useEffect(() => {
    setText(null) // until the text of another version is here, there is none to restore
    if (!name || at === null) return
    let wanted = true
    load(host().readVersion(name, at), (read) => wanted && setText(read))
    return () => {
      wanted = false
    }
  }, [name, at])

  return (
    <Dialog label="History" className="history">
      <DialogHead title="History" about="left as it was, right as it is now">
        <Button
          look="primary"
          testId="restore"
          disabled={text === null || at === null}
          onClick={() => {
            closeDialog()
            if (text !== null && at !== null) restoreVersion(text, timeOf(at))
          }}
        >
          Restore
        </Button>
      </DialogHead>
      <ul className="versions" aria-label="versions" data-testid="versions">
        {versions?.map((version) => (
          <li key={version.at}>
            <button type="button" aria-current={version.at === at} onClick={() => setAt(version.at)}>
              {timeOf(version.at)}
            </button>
          </li>
        ))}
        {versions?.length === 0 && <li className="empty">No earlier version yet: one is kept at each save.</li>}
      </ul>
      {text !== null && (
        <Suspense>
          <DiffView before={text} after={now} />
        </Suspense>
      )}
    </Dialog>
  )
}

function load<T>(answer: Promise<T>, take: (value: T) => void): void {
  answer.then(take).catch((error) => notify({ tone: 'bad', text: messageOf(error) }))
}

/** The notebook as it would be saved now; what cannot be saved cannot be compared. */
function printed(): string {
  try {
    const { cells, layout } = useNotebook.getState()
    return printNotebook(cells, layout)
  } catch {
    return ''
  }
}

function timeOf(at: number): string {
  const date = new Date(at)
  const today = date.toDateString() === new Date().toDateString()
  return date.toLocaleString(undefined, today ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' })
}

/** Shows an earlier text of the open notebook and saves it; what it replaces can be had back, and is kept as a version. */
export function restoreVersion(text: string, time: string): void {
  const before: Cell[] = plainCells(useNotebook.getState().cells)
  showText(text)
  changed()
  const again = () => {
    showCells(before)
    changed()
  }
  notify({ text: `Restored the version of ${time}.`, action: { label: 'Undo', run: takingBack(again) } })
}
