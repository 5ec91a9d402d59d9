import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { ColumnChooser } from './ColumnChooser.tsx'
import { FilterBox } from './FilterBox.tsx'
import { RunsGrid } from './RunsGrid.tsx'
import { RunsTools } from './RunsTools.tsx'
import { recallTable, setCharted, setFilter, setGrouped, useTable } from './state.ts'
import { useListing } from './useListing.ts'

const WallOfRuns = lazy(() => import('./WallOfRuns.tsx'))

/** The runs of the workspace that pass a filter: one by one, by configuration, or as charts. */
export function RunsView({ filter }: { filter: string }) {
  useState(recallTable) // before the first question
  useEffect(() => setFilter(filter), [filter])
  const shown = useListing()
  const grouped = useTable((state) => state.grouped)
  const asked = useTable((state) => state.filter)
  const [choosing, setChoosing] = useState(false)
  const charted = useTable((state) => state.charted)
  if (!shown || (shown.total === null && !shown.error)) return <main className="page runs-page" aria-busy="true" />
  const total = shown.total ?? 0
  return (
    <main className="page runs-page">
      <header className="runs-head">
        <h1 className="page-title">Runs</h1>
        <span className="muted" role="status" data-testid="count">
          {count(total, grouped)}
        </span>
        <span className="spacer" />
        <fieldset className="switch" aria-label="rows">
          <Button look="small" aria-pressed={!grouped && !charted} onClick={() => setGrouped(false)}>
            Runs
          </Button>
          <Button look="small" aria-pressed={grouped} onClick={() => setGrouped(true)}>
            By variant
          </Button>
          <Button look="small" aria-pressed={charted} onClick={setCharted} testId="chart-runs">
            Charts
          </Button>
        </fieldset>
        {!charted && (
          <Button look="small" aria-expanded={choosing} onClick={() => setChoosing(!choosing)} testId="columns">
            Columns
          </Button>
        )}
      </header>
      <FilterBox fields={shown.fields} error={shown.error} />
      {charted ? (
        <Suspense fallback={<section className="wall" aria-busy="true" />}>
          <WallOfRuns shown={shown} />
        </Suspense>
      ) : (
        <>
          {choosing && (
            <div className="runs-panels">
              <ColumnChooser shown={shown} close={() => setChoosing(false)} />
            </div>
          )}
          <RunsTools shown={shown} />
          {total > 0 ? <RunsGrid shown={shown} /> : <Empty filtered={asked !== ''} />}
        </>
      )}
    </main>
  )
}

function count(total: number, grouped: boolean): string {
  const noun = grouped ? 'configuration' : 'run'
  return `${total.toLocaleString('en-US')} ${noun}${total === 1 ? '' : 's'}`
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <div className="empty-state" data-testid="runs">
      <p>{filtered ? 'No run passes the filter.' : 'No runs yet.'}</p>
      {!filtered && <p className="muted">Run a cell that defines a study, and every run it trains is kept here.</p>}
    </div>
  )
}
