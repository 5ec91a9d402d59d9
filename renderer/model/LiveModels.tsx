import { useState } from 'react'
import { host } from '../host/state.ts'
import { Choice } from '../ui/Choice.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { goToLine } from './goToLine.ts'
import { ModelView } from './ModelView.tsx'
import { measureOn } from './measure.ts'
import { toggleModel } from './state.ts'
import { storedSteps } from './storedSteps.ts'
import { useCellModels } from './useCellModels.ts'

/** The models of a cell as its text is now: they are drawn anew as it changes. */
export function LiveModels({ id }: { id: string }) {
  const { models, failed, busy } = useCellModels(id)
  const [wanted, setWanted] = useState<string | null>(null)
  const studies = models?.studies ?? []
  const shown = studies.find(({ study }) => study === wanted) ?? studies[0]
  return (
    <section className="cell-model" aria-label={`model of ${id}`} aria-busy={busy} data-testid="cell-model">
      <header className="model-head">
        <h2>{shown ? `Model of ${shown.study}` : 'Model'}</h2>
        {studies.length > 1 && shown && (
          <Choice label="study" options={studies.map(({ study }) => study)} value={shown.study} onChange={setWanted} />
        )}
        <span className="muted" role="status">
          {busy ? 'reads the code…' : ''}
        </span>
        <span className="spacer" />
        <IconButton icon="close" label="Hide the model" keys="G" onClick={() => toggleModel(id)} />
      </header>
      {failed !== null && (
        <p className="bad" role="alert" data-testid="model-error">
          {failed}
        </p>
      )}
      {models && !shown && failed === null && (
        <p className="muted">
          No study is made of this cell yet; compare() makes one, here or in a cell that uses this one.
        </p>
      )}
      {shown && (
        <ModelView
          key={shown.study}
          diagrams={shown.diagrams}
          onLine={goToLine}
          stored={async () =>
            storedSteps(await host().listRuns({ study: shown.study }), ({ variant }) =>
              shown.diagrams.find(({ name }) => name === variant),
            )
          }
          measure={(variant) => measureOn({ study: shown.study, variant })}
        />
      )}
    </section>
  )
}
