import { useConnection } from '../host/state.ts'
import { deleteNotebook } from '../session/files/bin.ts'
import { newNotebook } from '../session/files/files.ts'
import { importJupyter } from '../session/files/importJupyter.ts'
import { useNotebook } from '../session/state.ts'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import {
  DATA_HASH,
  documentHash,
  MACHINES_HASH,
  notebookHash,
  PAPERS_HASH,
  type Route,
  START_HASH,
} from '../ui/route.ts'

/** The notebooks of the workspace, and the way to its runs. */
export function Sidebar({ route }: { route: Route }) {
  const { description, notebooks } = useConnection()
  const open = useNotebook((state) => state.name)
  const current = (here: boolean) => (here ? 'page' : undefined)
  return (
    <nav className="sidebar" aria-label="workspace">
      <p className="workspace" title={description?.workspace}>
        {description ? folderName(description.workspace) : ''}
      </p>
      <div className="sidebar-head">
        <h2>Notebooks</h2>
        <IconButton
          icon="import"
          label="Import a Jupyter notebook"
          testId="import"
          disabled={!description}
          onClick={importJupyter}
        />
        <IconButton
          icon="add"
          label="New notebook"
          testId="new-notebook"
          disabled={!description}
          onClick={() => void newNotebook()}
        />
      </div>
      <ul data-testid="notebooks">
        {notebooks.map((name) => (
          <li key={name}>
            <a
              href={notebookHash(name)}
              aria-current={current(route.view === 'notebook' && name === open)}
              title={name}
            >
              <Icon name="notebook" /> <span>{name.replace(/\.ts$/, '')}</span>
            </a>
            <IconButton icon="remove" label={`Delete ${name}`} onClick={() => void deleteNotebook(name)} />
          </li>
        ))}
      </ul>
      {description && notebooks.length === 0 && <p className="empty">No notebooks in this folder.</p>}
      <h2>Store</h2>
      <ul>
        <li>
          <a href="#/runs" aria-current={current(['runs', 'run', 'compare'].includes(route.view))}>
            <Icon name="runs" /> <span>Runs</span>
          </a>
        </li>
        <li>
          <a href={DATA_HASH} aria-current={current(route.view === 'data')}>
            <Icon name="data" /> <span>Data</span>
          </a>
        </li>
        <li>
          <a href={MACHINES_HASH} aria-current={current(route.view === 'machines')}>
            <Icon name="system" /> <span>Machines</span>
          </a>
        </li>
      </ul>
      <h2>Help</h2>
      <ul>
        <li>
          <a href={START_HASH} aria-current={current(route.view === 'start')}>
            <Icon name="commands" /> <span>Start</span>
          </a>
        </li>
        <li>
          <a href={PAPERS_HASH} aria-current={current(route.view === 'papers')}>
            <Icon name="notebook" /> <span>Papers</span>
          </a>
        </li>
        <li>
          <a href={documentHash()} aria-current={current(route.view === 'documents')}>
            <Icon name="find" /> <span>Documents</span>
          </a>
        </li>
      </ul>
    </nav>
  )
}

function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}
