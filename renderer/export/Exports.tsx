import { FORMATS } from '../../engine/export/formats/known.ts'
import { progressText } from '../../engine/export/progress.ts'
import { trainingText } from '../../engine/export/trainingProof.ts'
import { metricText } from '../../engine/records/meaning.ts'
import { weightsText } from '../../engine/records/tested.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import type { WrittenModel } from '../protocol/export.ts'
import { Button } from '../ui/Button.tsx'
import { cancelExport } from './queue.ts'
import { Snippets } from './Snippets.tsx'
import { type Export, hasEnded, type LeavingRun, useExports } from './state.ts'

/** The exports of this page, how far they are, how what they wrote is used, and what was taken of a run before. */
export function Exports({ asked }: { asked: readonly number[] }) {
  const exports = useExports((state) => state.exports)
  const [alone, ...others] = asked
  const ended = exports.filter(hasEnded).length
  return (
    <div className="exports" data-testid="exports">
      {exports.length === 0 && (
        <p className="muted">
          What is written is read again by other code, and compared with the model on held-out examples, before you get
          it. The weights in it are evaluated on the tests of the run, the first 10,000 examples of each.
        </p>
      )}
      {exports.map((each, i) => (
        <ExportLine key={each.id} given={each} newest={i === 0} />
      ))}
      {alone !== undefined && others.length === 0 && <Kept key={ended} run={alone} />}
    </div>
  )
}

const PHASES: Record<Export['phase'], string> = {
  waiting: 'waits for the one before',
  working: 'at work',
  saving: 'being saved',
  saved: 'saved',
  failed: 'nothing was saved',
  cancelled: 'cancelled, nothing was saved',
}

function ExportLine({ given, newest }: { given: Export; newest: boolean }) {
  const { id, choice, runs, phase, file } = given
  const [used] = runs.filter(({ written }) => written)
  const title = runs.length === 1 ? runs[0]?.name : plural(runs.length, 'run')
  return (
    <section className="export-line" data-phase={phase} aria-label={`${title} as ${choice.format}`}>
      <header>
        <b>{file ?? `${title}, ${choice.format}`}</b>
        <span
          className="run-status"
          role="status"
          data-status={phase === 'saved' ? 'done' : phase === 'failed' ? 'failed' : ''}
        >
          {PHASES[phase]}
        </span>
        <span className="spacer" />
        {(phase === 'waiting' || phase === 'working') && (
          <Button look="small" onClick={() => cancelExport(id)} testId="cancel-export">
            Cancel
          </Button>
        )}
      </header>
      <ul>
        {runs.map((run) => (
          <li key={run.id}>
            {runs.length > 1 && <span className="muted">{run.name} </span>}
            <span className={run.error ? 'bad' : undefined}>{wordsOf(run, given)}</span>
          </li>
        ))}
      </ul>
      {phase === 'saved' && newest && used?.written && used.written.snippets.python.length > 0 && (
        <Snippets of={used.name} snippets={used.written.snippets} />
      )}
    </section>
  )
}

/** Which weights were written, what was measured of them, and what the user should know. */
function findings({ description, warnings }: WrittenModel): string[] {
  const { metrics, examples, missing, weights: which, ...at } = description
  const values = Object.entries(metrics).map(([name, { value, ...meaning }]) => `${name} ${metricText(value, meaning)}`)
  const counts = Object.entries(examples).map(([split, count]) => `${plural(count, 'example')} of ${split}`)
  return [
    `weights ${weightsText({ which, ...at })}`,
    ...(values.length > 0 ? [`evaluated on ${counts.join(', ')}: ${values.join(', ')}`] : []),
    ...missing,
    ...warnings,
  ]
}

/** How far a run is, or what its proof says. */
function wordsOf({ progress, written, error }: LeavingRun, { choice, phase }: Export): string {
  if (error !== null) return error
  const proof = written?.proof ?? (progress?.at === 'proof' ? progress.proof : null)
  if (proof) {
    const { examples, difference } = proof
    const found = `${plural(examples, 'held-out example')}, largest difference ${short(difference)}`
    const said = `read again by ${FORMATS[choice.format].reader}, ${found}`
    const trained = written?.training ? [trainingText(written.training)] : []
    return [said, ...trained, ...(written ? findings(written) : [])].join('; ')
  }
  if (progress) return progressText(progress)
  return phase === 'working' ? 'waits' : ''
}

/** A difference with two digits: `3.2e-7`. */
const short = (difference: number) => String(Number(difference.toPrecision(2)))

/** What was exported of a run before, as the store has it, the last one first. */
function Kept({ run }: { run: number }) {
  const { value } = useAnswer('', () => host().listExports(run))
  if (!value || value.length === 0) return null
  return (
    <details className="export-kept">
      <summary>{`Exported ${value.length === 1 ? 'once' : `${value.length} times`} until now`}</summary>
      <ul data-testid="kept-exports">
        {value.toReversed().map(({ format, weights, folded, toeplitz, examples, difference, sha256, at }, i) => {
          const which = typeof weights === 'number' ? `step ${weights}` : weights
          const changed = [folded && 'folded', toeplitz && 'Toeplitz matrices written out'].filter(Boolean)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no name and keep their order
            <li key={i} title={`SHA-256 ${sha256}`}>
              {new Date(at).toLocaleString()}: {[format, which, ...changed].join(', ')};{' '}
              <span className="muted">{`${short(difference)} on ${examples} examples`}</span>
            </li>
          )
        })}
      </ul>
    </details>
  )
}
