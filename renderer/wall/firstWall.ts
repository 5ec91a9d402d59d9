import { VALIDATION } from '../../engine/records/splits.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Panel, PanelKind, Wall } from '../../engine/runs/wall.ts'

/** Curves that a wall begins with. */
const CURVES = 3

/** The wall that a workspace begins with: how the runs learned, and what they came to. */
export function firstWall(fields: RunFields): Wall {
  const curves = curvesFirst(fields).slice(0, CURVES)
  const final = finalMetric(fields)
  const kinds: [PanelKind, string, Partial<Panel>?][] = [
    ...curves.map((metric): [PanelKind, string] => ['curves', metric]),
    ...(final === null
      ? []
      : ([
          ['values', final],
          ['scatter', final, { x: 'parameters' }],
          ['best', final],
        ] as [PanelKind, string, Partial<Panel>?][])),
  ]
  const panels = kinds.map(([kind, metric, more], i): Panel => {
    return { id: `p${i + 1}`, kind, metric, width: 1, height: 1, ...more }
  })
  return { by: ['variant'], x: 'step', logX: false, smoothing: 0, band: 'sd', panels }
}

/** What a panel of a kind begins with. */
export function firstPanel(kind: PanelKind, id: string, fields: RunFields): Panel {
  const metric = (kind === 'curves' ? curvesFirst(fields)[0] : finalMetric(fields)) ?? ''
  // axes side by side need room for their names
  const width = kind === 'parallel' ? 2 : 1
  return { id, kind, metric, width, height: 1, ...(kind === 'scatter' ? { x: 'parameters' } : {}) }
}

/** Metrics in the order in which their curves are looked at: losses of training, what was measured on validation, others. */
function curvesFirst({ metrics }: RunFields): string[] {
  const rank = (name: string) => {
    if (name === 'train/loss') return 0
    if (name.startsWith(`${VALIDATION}/`)) return 1
    return name.startsWith('train/') ? 2 : 3
  }
  return metrics.toSorted((a, b) => rank(a) - rank(b))
}

/** The metric that runs are compared by. */
export function finalMetric({ metrics, meanings }: RunFields): string | null {
  return (
    metrics.find((name) => meanings[name]?.compared) ??
    metrics.find((name) => name.startsWith('test/')) ??
    metrics[0] ??
    null
  )
}
