import { host, useConnection } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Markdown } from '../markdown/Markdown.tsx'
import { restoreNotebook } from '../session/files/bin.ts'
import { addNotebook, newNotebook } from '../session/files/files.ts'
import { importJupyter } from '../session/files/importJupyter.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { DATA_HASH, documentHash, notebookHash } from '../ui/route.ts'
import { ResultPicture } from './ResultPicture.tsx'
import { READY, type Ready } from './ready.ts'

/** Where work begins: the notebooks of the workspace, the ready ones, and those in the bin. */
export function StartPage() {
  const notebooks = useConnection((state) => state.notebooks)
  return (
    <main className="page wide start">
      <h1 className="page-title">Start</h1>
      <section aria-labelledby="start-notebooks">
        <h2 id="start-notebooks">Notebooks</h2>
        <ul className="start-notebooks">
          {notebooks.map((name) => (
            <li key={name}>
              <a className="button" href={notebookHash(name)}>
                <Icon name="notebook" /> {name.replace(/\.ts$/, '')}
              </a>
            </li>
          ))}
        </ul>
        <div className="start-actions">
          <Button look="primary" onClick={() => void newNotebook()}>
            <Icon name="add" /> New notebook
          </Button>
          <Button onClick={importJupyter}>
            <Icon name="import" /> Import a Jupyter notebook
          </Button>
          <a className="button" href={DATA_HASH}>
            <Icon name="data" /> Data
          </a>
          <a className="button" href={documentHash()}>
            <Icon name="find" /> Documents
          </a>
        </div>
      </section>
      <section aria-labelledby="start-ready">
        <h2 id="start-ready">Ready notebooks</h2>
        <div className="gallery">
          {READY.map((ready) => (
            <Card key={ready.name} ready={ready} />
          ))}
        </div>
      </section>
      <Bin />
    </main>
  )
}

function Card({ ready }: { ready: Ready }) {
  const { name, text, question, about, time, metric, result } = ready
  return (
    <article className="card" data-ready={name} aria-labelledby={`ready-${name}`}>
      <h3 id={`ready-${name}`}>{question}</h3>
      <ResultPicture {...ready} />
      <p className="muted">{metric}</p>
      <p>{result}</p>
      <details>
        <summary>What is asked</summary>
        <Markdown source={about} />
      </details>
      <footer>
        <Button aria-label={`New from this: ${name}`} onClick={() => void addNotebook(name, () => text)}>
          <Icon name="add" /> New from this
        </Button>
        <span className="muted">{time}</span>
      </footer>
    </article>
  )
}

function Bin() {
  const notebooks = useConnection((state) => state.notebooks)
  const { value } = useAnswer(`bin ${notebooks.join('/')}`, () => host().listDeleted())
  if (!value || value.length === 0) return null
  return (
    <section aria-labelledby="start-bin">
      <h2 id="start-bin">Deleted</h2>
      <ul className="start-bin">
        {value.map(({ id, name, at }) => (
          <li key={id}>
            <span>{name}</span> <span className="muted">{new Date(at).toLocaleString()}</span>
            <Button look="small" aria-label={`Bring it back: ${name}`} onClick={() => void restoreNotebook(id)}>
              Bring it back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
