import { DataList } from './DataList.tsx'
import { LookedAt } from './LookedAt.tsx'
import '../styles/datacard.css'

/** The data sets that there are, or one of them: `#/data`, `#/data/shapes()`, `#/data/run 12`. */
export function DataPage({ of, task }: { of: string; task: string }) {
  return (
    <main className="page wide data-page">
      {of ? <LookedAt key={`${of}/${task}`} of={of} task={task} /> : <DataList />}
    </main>
  )
}
