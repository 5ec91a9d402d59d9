import { keepMine, takeTheirs } from './save.ts'
import { useNotebook } from './state.ts'

/** Asks which version of the file is to stay. */
export function ConflictBanner() {
  const conflict = useNotebook((state) => state.conflict !== null)
  if (!conflict) return null
  return (
    <div className="banner in-page" role="alert" data-testid="conflict">
      <span>This notebook was changed on disk while it has changes here.</span>
      <button type="button" className="button small" onClick={keepMine}>
        Keep mine
      </button>
      <button type="button" className="button small" onClick={takeTheirs}>
        Take theirs
      </button>
    </div>
  )
}
