import type { ReactNode } from 'react'
import { ChartView } from '../charts/ChartView.tsx'
import type { PageChart } from '../charts/pageChart.ts'

interface Panel {
  key: string
  /** Which run, and what of it. */
  head: string
  /** Charts of the run; none where it has nothing of the kind. */
  charts: PageChart[]
  /** What is said in their place. */
  missing: string
}

/** Runs side by side. */
export function Panels({ panels, children }: { panels: Panel[]; children?: ReactNode }) {
  return (
    <>
      {children && <div className="weights-choices">{children}</div>}
      <div className="weights-panels">
        {panels.map(({ key, head, charts, missing }) => (
          <section key={key} aria-label={head}>
            <h3>{head}</h3>
            {charts.map((chart) => (
              <ChartView key={chart.title} chart={chart} />
            ))}
            {charts.length === 0 && <p className="muted">{missing}</p>}
          </section>
        ))}
      </div>
    </>
  )
}
