import { useNotebook } from '../notebook/state.ts'
import { useCellStatus } from '../notebook/useCellStatus.ts'
import { StudyOutput } from '../study/StudyOutput.tsx'
import { ConsoleView } from './ConsoleView.tsx'
import { ErrorView } from './ErrorView.tsx'
import type { Output } from './output.ts'

/** All that a code cell shows below its text. */
export function OutputView({ id }: { id: string }) {
  const output = useNotebook((state) => state.states[id]?.output ?? null)
  const status = useCellStatus(id)
  if (!output || isEmpty(output)) return null
  const { console, value, error, studies } = output
  return (
    <div className="output" data-testid="output" data-stale={status === 'stale'}>
      {status === 'stale' && (
        <p className="stale-note">The code has changed since. Run the cell to bring this up to date.</p>
      )}
      {console.length > 0 && <ConsoleView lines={console} />}
      {studies.map((study) => (
        <StudyOutput key={study.study} study={study} running={status === 'running'} />
      ))}
      {value && (
        <pre className="value" data-testid="value" title={value.kind}>
          {value.kind.includes(' ') && <span className="value-kind">{value.kind}</span>}
          {value.text}
        </pre>
      )}
      {error && <ErrorView id={id} error={error} calm={output.ended === 'interrupted'} />}
    </div>
  )
}

function isEmpty({ console, value, error, studies }: Output): boolean {
  return console.length === 0 && !value && !error && studies.length === 0
}
