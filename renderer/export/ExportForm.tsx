import { type FormEvent, useState } from 'react'
import { FORMATS, type FormatName } from '../../engine/export/formats/known.ts'
import type { RequestedWeights } from '../../engine/records/tested.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { Icon } from '../ui/Icon.tsx'
import { exportBlocker, foldOffer, lastChoice, rememberChoice, weightsOf } from './choice.ts'
import { exportRuns } from './queue.ts'
import { type Candidate, useToeplitz } from './useCandidates.ts'
import { WeightsChoice } from './WeightsChoice.tsx'

const names = Object.keys(FORMATS) as FormatName[]

/** What is exported, and how. */
export function ExportForm({ candidates }: { candidates: readonly Candidate[] }) {
  const able = candidates.filter(({ run }) => exportBlocker(run) === null)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [{ format, card }, setChoice] = useState(lastChoice)
  const [which, setWhich] = useState<RequestedWeights>('tested')
  const [changes, setChanges] = useState({ fold: false, toeplitz: false })
  const chosen = able.filter(({ run }) => !left.has(run.id))
  const weights = weightsOf(chosen)
  const taken = weights.some(([each]) => each === which) ? which : 'tested'
  const offer = foldOffer(chosen.map(({ run }) => run))
  const toeplitz = useToeplitz(able)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    rememberChoice({ format, card })
    const changed = { fold: offer !== null && changes.fold, toeplitz: toeplitz && changes.toeplitz }
    const runs = chosen.map(({ run }) => run)
    void exportRuns(runs, { format, card, which: taken, ...changed })
  }
  return (
    <form className="export-form" onSubmit={submit} data-testid="export-form">
      {candidates.length > 1 && (
        <fieldset className="export-runs">
          <legend className="muted">runs</legend>
          {candidates.map(({ run }) => {
            const hindrance = exportBlocker(run)
            return (
              <label key={run.id}>
                <input
                  type="checkbox"
                  disabled={hindrance !== null}
                  checked={hindrance === null && !left.has(run.id)}
                  onChange={({ target }) =>
                    setLeft(target.checked ? without(left, run.id) : new Set([...left, run.id]))
                  }
                />
                {run.study} / {run.variant}, seed {run.seed}
                {hindrance && <span className="muted">{hindrance}</span>}
              </label>
            )
          })}
        </fieldset>
      )}
      {candidates.length === 1 && able.length === 0 && candidates[0] && (
        <p className="bad">{`Run ${candidates[0].run.id} ${exportBlocker(candidates[0].run)}.`}</p>
      )}
      <fieldset className="export-formats">
        <legend className="muted">format</legend>
        {names.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="format"
              value={name}
              checked={name === format}
              // biome-ignore lint/a11y/noAutofocus: the panel was opened to choose
              autoFocus={name === format}
              onChange={() => setChoice({ format: name, card })}
            />
            <span>
              <b>{name}</b> <code>{FORMATS[name].ending}</code>
              <br />
              <span className="muted">{FORMATS[name].purpose}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {weights.length > 0 && (
        <WeightsChoice weights={weights} value={taken} onChange={setWhich} testId="export-weights" />
      )}
      {able.length > 0 && chosen.length > 0 && weights.length === 0 && (
        <p className="bad">One of the chosen runs keeps no weights.</p>
      )}
      <div className="export-options">
        {offer !== null && (
          <Option checked={changes.fold} onChange={(fold) => setChanges({ ...changes, fold })}>
            {offer}
          </Option>
        )}
        {toeplitz && (
          <Option checked={changes.toeplitz} onChange={(toeplitz) => setChanges({ ...changes, toeplitz })}>
            Toeplitz matrices written out, [n, n]
          </Option>
        )}
        {chosen.length === 1 && (
          <Option checked={card} onChange={(card) => setChoice({ format, card })}>
            with a model card, as .zip
          </Option>
        )}
      </div>
      <footer>
        <button
          type="submit"
          className="button primary"
          disabled={chosen.length === 0 || weights.length === 0}
          data-testid="export-now"
        >
          <Icon name="export" /> {chosen.length > 1 ? `Export ${plural(chosen.length, 'run')} as .zip` : 'Export'}
        </button>
      </footer>
    </form>
  )
}

function without(all: ReadonlySet<number>, one: number): ReadonlySet<number> {
  return new Set([...all].filter((each) => each !== one))
}

interface OptionProps {
  checked: boolean
  onChange(checked: boolean): void
  children: string
}

function Option({ checked, onChange, children }: OptionProps) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      {children}
    </label>
  )
}
