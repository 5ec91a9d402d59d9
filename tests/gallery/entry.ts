import type { LocalHost } from '../../app/host.ts'
import type { Chart } from '../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'
import type { StoredRun } from '../../engine/records/run.ts'

/** The trained studies. */
export interface Source {
  host: LocalHost
  /** The complete runs of a study, by id. */
  runs(study: string): Promise<StoredRun[]>
  /** The runs of all studies whose names begin so. */
  runsOf(prefix: string): Promise<StoredRun[]>
}

/**
 * One drawing of the gallery. To add some: a file in entries/ that exports a list of these, named in entries/index.ts.
 * Rows come from `source.host` (what is trained is in studies.ts), so that they are real ones.
 */
export interface Entry {
  /** The file of engine/charts that makes the chart, without `.ts`; each such file has an entry. */
  file: string
  /** What this one shows. */
  name: string
  /** Called once for the light and once for the dark page. */
  chart(source: Source, style: FigureStyle): Promise<Chart>
}

/** A drawing of how a model is made, which has no numbers. */
export interface Diagram {
  name: string
  svg(): Promise<string>
}

/** An entry; its rows are made into a chart once for each style. */
export const entry = (file: string, name: string, chart: Entry['chart']): Entry => ({ file, name, chart })
