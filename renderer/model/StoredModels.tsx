import type { Diagram } from '../../engine/diagram/diagram.ts'
import { messageOf } from '../../engine/errors.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { ModelView } from './ModelView.tsx'
import { measureOn } from './measure.ts'
import { storedSteps } from './storedSteps.ts'
import { diagramOfRun } from './worker.ts'

interface StoredModelsProps {
  runs: readonly { id: number; label: string }[]
  onLine(line: string): void
}

/** The models of runs of the store, without their weights; of several the difference of the second to the first. */
export function StoredModels({ runs, onLine }: StoredModelsProps) {
  const { value } = useAnswer(JSON.stringify(runs), () => readModels(runs))
  if (!value) return <p className="muted">The model is made again of what the run was made of.</p>
  const { diagrams, errors } = value
  return (
    <>
      {errors.map((error) => (
        <p key={error} className="bad">
          {error}
        </p>
      ))}
      {diagrams.length > 0 && (
        <ModelView
          diagrams={diagrams}
          onLine={onLine}
          stored={async () =>
            storedSteps(await host().showRuns(runs.map(({ id }) => id)), ({ id }) =>
              diagrams.find(({ name }) => name === runs.find((run) => run.id === id)?.label),
            )
          }
          measure={(name) => measureRun(runs.find(({ label }) => label === name)?.id)}
          {...(diagrams.length > 1 && { against: diagrams[0]?.name ?? '' })}
        />
      )}
    </>
  )
}

async function readModels(runs: StoredModelsProps['runs']): Promise<{ diagrams: Diagram[]; errors: string[] }> {
  const diagrams: Diagram[] = []
  const errors: string[] = []
  for (const { id, label } of runs) {
    try {
      const run = await host().showRun(String(id))
      diagrams.push({ ...(await diagramOfRun(run)), name: label })
    } catch (error) {
      errors.push(`${label}: ${messageOf(error)}`)
    }
  }
  return { diagrams, errors }
}

async function measureRun(id: number | undefined) {
  return measureOn({ run: await host().showRun(String(id)) })
}
