import { type FoldedPart, toggleFold } from '../session/folds.ts'
import { Icon } from '../ui/Icon.tsx'

/** What stands for a folded part of a cell. */
export function Folded({ part, id, summary }: { part: FoldedPart; id: string; summary: string }) {
  return (
    <button
      type="button"
      className="folded"
      aria-label={`unfold ${part} of ${id}`}
      onClick={() => toggleFold(part, id)}
    >
      <Icon name="unfold" />
      <span>{summary}</span>
    </button>
  )
}
