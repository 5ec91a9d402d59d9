import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'

/** A difference with two digits: `3.2e-7`. */
export const short = (difference: number) => String(Number(difference.toPrecision(2)))

/** What was exported of a run before, as the store has it, the last one first. */
export function Kept({ run }: { run: number }) {
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
