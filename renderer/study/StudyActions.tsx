import { toLatex, toMarkdown } from '../../engine/runs/table.ts'
import { copyText } from '../shell/copyText.ts'
import { compareHash } from '../shell/route.ts'
import { AddSeeds } from './AddSeeds.tsx'
import { addSeeds } from './addSeeds.ts'
import { comparisonTable } from './comparisonTable.ts'
import { proposedSeeds } from './proposal.ts'
import type { Comparison } from './useComparison.ts'
import { seedCount } from './values.ts'
import type { StudyView } from './view.ts'

interface StudyActionsProps {
  /** The cell that shows the study. */
  cell: string
  study: StudyView
  comparison: Comparison
  running: boolean
}

/** What to do next with a study. */
export function StudyActions({ cell, study, comparison, running }: StudyActionsProps) {
  const seeds = seedCount(study)
  const table = () => comparisonTable(study.variants, comparison)
  return (
    <div className="study-actions">
      <AddSeeds
        proposed={proposedSeeds(seeds, comparison.verdicts)}
        hindrance={running ? 'The study is in training' : null}
        onAdd={(more) => addSeeds(cell, study, more)}
      />
      <span className="spacer" />
      <a className="button" href={compareHash([`study:${study.study}`])} data-testid="compare">
        Compare
      </a>
      <button
        type="button"
        className="button"
        onClick={() => void copyText(toMarkdown(table()), 'The table as Markdown')}
        data-testid="copy-markdown"
      >
        Copy Markdown
      </button>
      <button
        type="button"
        className="button"
        onClick={() => void copyText(toLatex(table()), 'The table as LaTeX')}
        data-testid="copy-latex"
      >
        Copy LaTeX
      </button>
    </div>
  )
}
