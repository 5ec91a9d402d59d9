import icon from '../icon.svg'
import { useKernel } from '../session/kernel/state.ts'
import { interrupt, restart, runAll } from '../session/run.ts'
import { useNotebook } from '../session/state.ts'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { type Route, START_HASH } from '../ui/route.ts'
import { ThemeToggle } from '../ui/ThemeToggle.tsx'
import { AtOnceSelect } from './AtOnceSelect.tsx'
import { BackendSelect } from './BackendSelect.tsx'
import { FollowToggle } from './FollowToggle.tsx'

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
        <button
          type="button"
          className="button primary"
          data-testid="run-all"
          disabled={empty}
          onClick={() => void runAll()}
        >
          <Icon name="runAll" /> Run all
        </button>
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
      <AtOnceSelect />
      <ThemeToggle />
    </header>
  )
}
