import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'

interface AddSeedsProps {
  /** How many are proposed. */
  proposed: number
  /** Why nothing can be added now; null where it can. */
  hindrance: string | null
  onAdd(more: number): void
}

const MAX_ADDED_SEEDS = 100
/** See docs/statistics.md. */
const LOOKS = 'What was planned with fewer is exploratory then; new seeds alone are a new plan.'

/** One click trains every variant with more seeds. */
export function AddSeeds({ proposed, hindrance, onAdd }: AddSeedsProps) {
  const [typed, setTyped] = useState<number | null>(null)
  const more = typed ?? proposed
  return (
    <span className="add-seeds">
      <Button
        disabled={hindrance !== null}
        title={hindrance ?? `Write ${more} more into the cell and train only those. ${LOOKS}`}
        onClick={() => onAdd(more)}
        testId="add-seeds"
      >
        <Icon name="add" /> Add {more} {more === 1 ? 'seed' : 'seeds'}
      </Button>
      <input
        type="number"
        aria-label="seeds to add"
        min={1}
        max={MAX_ADDED_SEEDS}
        value={more}
        disabled={hindrance !== null}
        onChange={({ target }) =>
          setTyped(Math.min(MAX_ADDED_SEEDS, Math.max(1, Math.round(target.valueAsNumber || 1))))
        }
      />
    </span>
  )
}
