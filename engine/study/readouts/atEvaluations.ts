import type { DefinitionCode } from '../../definitions.ts'
import { createReader } from '../../readouts/reader.ts'
import type { Task } from '../../tasks/types.ts'
import type { Study } from '../compare.ts'
import type { OpenVariant } from '../opened.ts'
import { explained } from './explain.ts'
import { codeOfReadout, metricOfReadout } from './study.ts'

/**
 * The task of a variant with the read-outs that its study asks for at evaluations. What they give is recorded while a run
 * is trained, so they are in its key, as metrics are: a run with a key has all its curves, of one code.
 */
export async function withReadouts(
  { opened: task, block, size }: Pick<OpenVariant, 'opened' | 'block' | 'size'>,
  study: Study,
): Promise<Task> {
  const own = study.spec.readouts?.filter(({ when }) => when === 'evaluations') ?? []
  if (own.length === 0) return task
  const codes: Record<string, DefinitionCode> = {}
  for (const readout of own) codes[readout.name] = await codeOfReadout(readout, study)
  return {
    ...task,
    measured: { ...task.measured, readouts: codes },
    readouts(model) {
      const reader = createReader({ model, forward: task.model(block, size), task, tests: false })
      return {
        async read() {
          const problems: string[] = []
          const metrics = new Map<string, { value: number; meaning: (typeof own)[number]['meaning'] }>()
          for (const readout of own) {
            const { value, problem } = await reader.read(readout)
            if (problem !== null) problems.push(explained(readout, study, problem))
            metrics.set(metricOfReadout(readout), { value, meaning: readout.meaning })
          }
          return { metrics, problems }
        },
        dispose: reader.dispose,
      }
    },
  }
}
