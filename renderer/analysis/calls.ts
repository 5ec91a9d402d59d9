import { analyze } from '../../engine/notebook/graph.ts'
import type { Cell, NotebookFacts } from '../../engine/notebook/types.ts'
import type { ReportData } from '../../engine/report/index.ts'
import { type Design, designsIn } from '../../engine/study/source/designs.ts'
import { withSeeds } from '../../engine/study/source/seeds.ts'

import { boundedProse, type Prose } from '../markdown/prose.ts'

/** What the worker reads in the text of cells, so that the page never waits for it. */
export interface AnalysisCalls {
  /** As `analyze` does; cells with a text of `refused` are not read. */
  analyze(cells: Cell[], refused: string[]): NotebookFacts
  /** As `designsIn` does, for each of some texts. */
  designs(sources: string[]): Design[][]
  /** The first of some cells whose text defines the study, and its text with more seeds; see `withSeeds`. */
  withSeeds(cells: Cell[], study: string, more: number): { cell: string; source: string } | null
  /** As `boundedProse` does. */
  prose(source: string): Prose | null
  /** As `reportHtml` does. */
  report(data: ReportData): Promise<string>
}

/** The same from the page. */
export type RemoteAnalysis = {
  [Name in keyof AnalysisCalls]: (
    ...given: Parameters<AnalysisCalls[Name]>
  ) => Promise<Awaited<ReturnType<AnalysisCalls[Name]>>>
}

/** Progress of the worker: the text that it is about to read. */
export interface Reading {
  reading(source: string): void
}

/** The calls, which report to `reading` what they are about to read. */
export function analysisCalls(reading: (source: string) => void): AnalysisCalls {
  return {
    analyze: (cells, refused) => analyze(cells, { reading, refused: new Set(refused) }),
    designs(sources) {
      return sources.map((source) => {
        reading(source)
        return designsIn(source, '')
      })
    },
    withSeeds(cells, study, more) {
      for (const { id, source } of cells) {
        reading(source)
        const changed = withSeeds(source, study, more)
        if (changed !== null) return { cell: id, source: changed }
      }
      return null
    },
    prose(source) {
      reading(source)
      return boundedProse(source)
    },
    async report(data) {
      reading(`the report of ${data.name}`)
      const { reportHtml } = await import('../../engine/report/index.ts')
      return reportHtml(data)
    },
  }
}
