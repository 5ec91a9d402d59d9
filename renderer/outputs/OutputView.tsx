import { Fragment, lazy, Suspense } from 'react'
import type { CellOutputView } from '../protocol/output.ts'
import { useNotebook } from '../session/state.ts'
import type { Staleness } from '../session/status.ts'
import { useCellStatus, useStaleness } from '../session/useCellStatus.ts'
import { ConsoleView } from './ConsoleView.tsx'
import { ErrorView } from './ErrorView.tsx'
import { InsideSection } from './InsideSection.tsx'
import { ValueBlock, ValueList } from './ValueBlock.tsx'

/** What studies are judged by is a third of the page's first script: the page is drawn without, and has it before one runs. */
const study = () => import('../study/StudyOutput.tsx')
setTimeout(study)
const StudyOutput = lazy(async () => ({ default: (await study()).StudyOutput }))

const SINCE: Record<Staleness, string> = {
  code: 'The code has changed since.',
  rerun: 'A cell that this depends on was run again since.',
}

/** All that a code cell shows below its text. */
export function OutputView({ id }: { id: string }) {
  const output = useNotebook((state) => state.states[id]?.output ?? null)
  const status = useCellStatus(id)
  const staleness = useStaleness(id)
  if (!output || isEmpty(output)) return null
  const { console, displays, value, error, studies } = output
  return (
    <div className="output" data-testid="output" data-stale={staleness !== null}>
      {staleness && <p className="stale-note">{SINCE[staleness]} Run the cell to bring this up to date.</p>}
      {console.length > 0 && <ConsoleView lines={console} />}
      <Suspense>
        {studies.map((study) => (
          <Fragment key={study.study}>
            <StudyOutput cell={id} study={study} running={status === 'running'} />
            <InsideSection study={study} />
          </Fragment>
        ))}
      </Suspense>
      <ValueList values={displays} />
      {value && <ValueBlock view={value} />}
      {error && <ErrorView id={id} error={error} calm={output.ended === 'interrupted'} />}
    </div>
  )
}

function isEmpty({ console, displays, value, error, studies }: CellOutputView): boolean {
  return console.length === 0 && displays.length === 0 && !value && !error && studies.length === 0
}
