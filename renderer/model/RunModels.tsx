import { lazy, Suspense, useState } from 'react'
import { goToRunLine } from './goToRunLine.ts'

const StoredModels = lazy(async () => ({ default: (await import('./StoredModels.tsx')).StoredModels }))

interface RunModelsProps {
  /** Runs of the store, each with what it is called here. */
  runs: readonly { id: number; label: string }[]
}

/** The models of runs, and what differs between two of them; they are made again when the section is opened. */
export function RunModels({ runs }: RunModelsProps) {
  const [open, setOpen] = useState(false)
  if (runs.length === 0) return null
  return (
    <section aria-labelledby="model-head" data-testid="model-section">
      <h2 id="model-head">Model</h2>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{runs.map(({ label }) => label).join('; ')}</summary>
        {open && (
          <Suspense fallback={<div aria-busy="true" />}>
            <StoredModels runs={runs} onLine={goToRunLine} />
          </Suspense>
        )}
      </details>
    </section>
  )
}
