import { studyText } from '../../engine/runs/studyText.ts'
import { prospect, type Verdict } from '../../engine/study/statistics/index.ts'
import { openExport } from '../export/state.ts'
import { toggleModel } from '../model/state.ts'
import type { StudyView } from '../protocol/study.ts'
import { Button } from '../ui/Button.tsx'
import { copyText } from '../ui/copyText.ts'
import { compareHash } from '../ui/route.ts'
import { AddSeeds } from './AddSeeds.tsx'
import { addSeeds } from './addSeeds.ts'
import { comparisonTable } from './table/comparisonTable.ts'
import { seedCount } from './table/values.ts'
import type { Comparison } from './useComparison.ts'

interface StudyActionsProps {
  /** The cell that shows the study. */
  cell: string
  study: StudyView
  comparison: Comparison
  running: boolean
}

const COPIES = [
  { name: 'Markdown', format: 'markdown', id: 'copy-markdown' },
  { name: 'LaTeX', format: 'latex', id: 'copy-latex' },
] as const

/** What to do next with a study. */
export function StudyActions({ cell, study, comparison, running }: StudyActionsProps) {
  const seeds = seedCount(study)
  const kept = study.runs.flatMap(({ id, hasWeights }) => (hasWeights && id !== null ? [id] : []))
  return (
    <div className="study-actions">
      <AddSeeds
        proposed={proposedSeeds(seeds, comparison.verdicts)}
        hindrance={addSeedsBlocker(study, running)}
        onAdd={(more) => void addSeeds(cell, study, more)}
      />
      <span className="spacer" />
      <a className="button" href={compareHash([`study:${study.study}`])} data-testid="compare">
        Compare
      </a>
      <Button onClick={() => toggleModel(cell)} testId="study-model">
        Model
      </Button>
      {kept.length > 0 && (
        <Button onClick={() => openExport(kept)} testId="export-study">
          Export
        </Button>
      )}
      {COPIES.map(({ name, format, id }) => (
        <Button
          key={id}
          onClick={() => {
            const variants = comparisonTable(study.variants, comparison)
            void copyText(studyText(format, comparison, variants), `The table as ${name}`)
          }}
          testId={id}
        >
          Copy {name}
        </Button>
      ))}
    </div>
  )
}

/** Why no seeds can be added; null where they can. */
function addSeedsBlocker({ design }: StudyView, running: boolean): string | null {
  if (running) return 'The study is in training'
  return design?.anytime ? 'The study takes seeds until it is decided, up to the last one that its cell says' : null
}

/** Without anything that speaks for another number. */
const FEW = 2

/** How many more seeds to propose for a study of `seeds` seeds: a few, or as many as a claim needs to be possible at all. */
export function proposedSeeds(seeds: number, verdicts: readonly Verdict[]): number {
  return verdicts.length === 0 ? FEW : Math.max(FEW, prospect(seeds, verdicts.length).needed - seeds)
}
