import { Confusion } from '../study/Confusion.tsx'
import { useReport } from '../study/useReport.ts'

/** What the last evaluation told of the classes. */
export function RunReports({ id }: { id: number }) {
  const report = useReport(id)
  const matrices = Object.entries(report ?? {}).flatMap(([split, part]) =>
    part.kind === 'classification' ? [<Confusion key={split} split={split} report={part} />] : [],
  )
  if (matrices.length === 0) return null
  return (
    <section aria-labelledby="run-classes">
      <h2 id="run-classes">Classes</h2>
      {matrices}
    </section>
  )
}
