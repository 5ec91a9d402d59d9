import { CHEAP } from '../session/follow.ts'
import { follows, setFollows, useFollowing } from '../session/following.ts'
import { useNotebook } from '../session/state.ts'

const EXPLAINED = `Cells that took less than ${CHEAP} ms run again when a cell they use has run. Cells that train never do.`

/** Whether cheap cells of the open notebook run again after what they depend on. */
export function FollowToggle() {
  const name = useNotebook((state) => state.name)
  const on = useFollowing((state) => name !== null && follows(name, state))
  if (name === null) return null
  return (
    <label className="follow" title={EXPLAINED}>
      <input type="checkbox" checked={on} data-testid="follow" onChange={() => setFollows(name, !on)} />
      <span>Cells follow</span>
    </label>
  )
}
