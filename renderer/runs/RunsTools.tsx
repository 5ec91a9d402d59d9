import { useState } from 'react'
import { plural } from '../../engine/study/statistics/index.ts'
import { MAX_RUNS } from '../compare/items.ts'
import { openExport } from '../export/state.ts'
import { host } from '../host/state.ts'
import { trainAgain } from '../session/trainAgain.ts'
import { Button } from '../ui/Button.tsx'
import { openDialog } from '../ui/dialog.ts'
import { Icon } from '../ui/Icon.tsx'
import { notify } from '../ui/notices.ts'
import { compareHash } from '../ui/route.ts'
import { act, tagBy } from './act.ts'
import { copyTable, exportCsv } from './copy.ts'
import { chooseNone, useTable } from './state.ts'
import type { Shown } from './useListing.ts'

/** What can be done with the chosen runs, and with the table as a whole. */
export function RunsTools({ shown }: { shown: Shown }) {
  const chosen = useTable((state) => state.chosen)
  const none = chosen.size === 0
  const archived = useTable((state) => /\barchived:yes\b/.test(state.filter))
  return (
    <div className="runs-tools" role="toolbar" aria-label="Chosen runs and the table">
      <span className="muted" role="status" data-testid="chosen">
        {none ? 'No run chosen' : `${chosen.size} chosen`}
      </span>
      <Button look="small" disabled={none} onClick={compare} testId="compare">
        Compare
      </Button>
      <Button
        look="small"
        disabled={none}
        testId="export-chosen"
        onClick={() => openExport([...chosen].sort((a, b) => a - b))}
      >
        Export
      </Button>
      <TagBox shown={shown} />
      <Button
        look="small"
        disabled={none}
        testId="archive"
        title={archived ? undefined : 'Studies do not take archived runs: they train them again'}
        onClick={() => void archive(!archived, shown)}
      >
        {archived ? 'Unarchive' : 'Archive'}
      </Button>
      <Button
        look="small"
        disabled={none}
        title="Archives the chosen runs, so that their studies make new ones"
        testId="again"
        onClick={() => void again(shown)}
      >
        Train again
      </Button>
      {!none && (
        <Button look="small quiet" onClick={chooseNone}>
          Choose none
        </Button>
      )}
      <span className="spacer" />
      <Button look="small" onClick={() => openDialog('import')} testId="import-journals">
        <Icon name="import" /> Journals
      </Button>
      <Button look="small" onClick={() => void copyTable(shown, 'Markdown')}>
        Copy Markdown
      </Button>
      <Button look="small" onClick={() => void copyTable(shown, 'LaTeX')} testId="latex">
        Copy LaTeX
      </Button>
      <Button look="small" onClick={() => void exportCsv(shown)} testId="csv">
        <Icon name="export" /> CSV
      </Button>
    </div>
  )
}

/** Where tags are typed: `keep -old`. */
function TagBox({ shown }: { shown: Shown }) {
  const chosen = useTable((state) => state.chosen)
  const [text, setText] = useState('')
  const apply = async () => {
    if (text.trim() && (await act(() => tagBy(text, [...chosen]), shown.refresh))) setText('')
  }
  return (
    <form
      className="runs-tags"
      onSubmit={(event) => {
        event.preventDefault()
        void apply()
      }}
    >
      <input
        value={text}
        disabled={chosen.size === 0}
        placeholder="keep -old"
        aria-label="Tags for the chosen runs; a minus in front takes one away"
        title="Tags for the chosen runs; a minus in front takes one away"
        list="known-tags"
        autoComplete="off"
        spellCheck={false}
        data-testid="tags"
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id="known-tags">
        {shown.fields.tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <button type="submit" className="button small" disabled={chosen.size === 0 || text.trim() === ''}>
        Tag
      </button>
    </form>
  )
}

function compare(): void {
  const chosen = [...useTable.getState().chosen].sort((a, b) => a - b)
  if (chosen.length > MAX_RUNS) notify({ text: `At most ${MAX_RUNS} runs can be compared.` })
  else location.hash = compareHash(chosen)
}

async function again({ refresh }: Shown): Promise<void> {
  if (await trainAgain([...useTable.getState().chosen], refresh)) chooseNone()
}

async function archive(away: boolean, { refresh }: Shown): Promise<void> {
  const runs = [...useTable.getState().chosen]
  if (!(await act(() => host().archiveRuns(runs, away), refresh))) return
  chooseNone()
  const back = () => void act(() => host().archiveRuns(runs, !away), refresh)
  const then = away ? ' Studies train them anew when they run.' : ''
  const what = `${plural(runs.length, 'run')} ${away ? 'archived' : 'unarchived'}.${then}`
  notify({ text: what, action: { label: 'Undo', run: back } })
}
