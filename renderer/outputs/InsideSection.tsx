import { lazy, Suspense, useState } from 'react'
import type { StudyView } from '../protocol/study.ts'

const StudyInside = lazy(async () => ({ default: (await import('../weights/StudyInside.tsx')).StudyInside }))

/** What is inside of the models of a study, while they train and after; it is read when it is opened. */
export function InsideSection({ study }: { study: StudyView }) {
  const [open, setOpen] = useState(false)
  if (!study.runs.some(({ id, status }) => id !== null && status !== 'failed')) return null
  return (
    <details
      className="inside"
      data-testid="inside"
      open={open} // also where it comes back: a study that begins again has no runs for a moment
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Inside the models of {study.study}</summary>
      {open && (
        <Suspense>
          <StudyInside study={study} />
        </Suspense>
      )}
    </details>
  )
}
