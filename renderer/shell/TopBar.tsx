import icon from '../icon.svg'
import { CHEAP } from '../session/follow.ts'
import { follows, setFollows, useFollowing } from '../session/following.ts'
import { useKernel } from '../session/kernel/state.ts'
import { interrupt, restart, runAll } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { type Route, START_HASH } from '../ui/route.ts'
import { nextTheme, setTheme, useTheme } from '../ui/theme.ts'
import { BackendSelect } from './BackendSelect.tsx'
import { ParallelRunsSelect } from './ParallelRunsSelect.tsx'

/** What concerns the page as a whole: run all, the kernel and its backend, the theme. */
export function TopBar({ view }: { view: Route['view'] }) {
  const empty = useNotebook((state) => state.cells.length === 0)
  const phase = useKernel((state) => state.phase)
  const busy = phase === 'busy' || phase === 'interrupting'
  return (
    <header className="topbar">
      <a className="brand" href={START_HASH} title="Start page" aria-current={view === 'start' ? 'page' : undefined}>
        <img src={icon} alt="" width="18" height="18" /> Mixlab
      </a>
      {view === 'notebook' && (
        <Button look="primary" testId="run-all" disabled={empty} onClick={() => void runAll()}>
          <Icon name="runAll" /> Run all
        </Button>
      )}
      <IconButton
        icon="stop"
        label="Interrupt at the next step"
        testId="interrupt-kernel"
        disabled={!busy}
        onClick={() => interrupt()}
      />
      <IconButton icon="restart" label="Kill and restart the kernel" testId="restart-kernel" onClick={restart} />
      {view === 'notebook' && <FollowToggle />}
      <span className="spacer" />
      <BackendSelect />
      <ParallelRunsSelect />
      <ThemeToggle />
    </header>
  )
}

const EXPLAINED = `Cells that took less than ${CHEAP} ms run again when a cell they use has run. Cells that train never do.`

/** Whether cheap cells of the open notebook run again after what they depend on. */
function FollowToggle() {
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

/** Goes round the themes: as the system, light, dark. */
function ThemeToggle() {
  const theme = useTheme((state) => state.theme)
  const next = nextTheme(theme)
  return (
    <IconButton
      icon={theme}
      testId="theme"
      label={`Theme: ${theme}; change to ${next}`}
      onClick={() => setTheme(next)}
    />
  )
}
