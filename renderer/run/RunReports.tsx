import { ChartView } from '../charts/figure/ChartView.tsx'
import { useConfusions } from '../study/useConfusions.ts'

/** What the last evaluation told of the classes. */
export function RunReports({ id }: { id: number }) {
  const { value, error } = useConfusions(id)
  if (!error && !value?.length) return null
  return (
    <section aria-labelledby="run-classes">
      <h2 id="run-classes">Classes</h2>
      {error && <p className="bad">{error}</p>}
      {value?.map((chart) => (
        <ChartView key={chart.title} chart={chart} />
      ))}
    </section>
  )
}
