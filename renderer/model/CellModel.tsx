import { lazy, Suspense } from 'react'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { useModelShown } from './state.ts'

const LiveModels = lazy(async () => ({ default: (await import('./LiveModels.tsx')).LiveModels }))

/** The models of the studies of a cell, where the user wants to see them. */
export function CellModel({ id }: { id: string }) {
  if (!useModelShown(id)) return null
  return (
    <ErrorBoundary what="The model" again={id}>
      <Suspense fallback={<div className="cell-model" aria-busy="true" />}>
        <LiveModels id={id} />
      </Suspense>
    </ErrorBoundary>
  )
}
