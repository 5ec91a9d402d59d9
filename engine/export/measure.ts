import { messageOf } from '../errors.ts'
import type { Model } from '../nn/model.ts'
import type { MetricMeaning } from '../records/meaning.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { measureOf } from '../records/splits.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import { withoutTeacher } from '../study/teacher.ts'
import { keyedData } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import { createEvaluator } from '../train/evaluate.ts'
import { isTiming } from '../train/timings.ts'

/** Examples of each test that an exported model is evaluated on, unless the user says how many. */
export const TEST_EXAMPLES = 10_000

/** The metric of an exported model as its description has it. */
export type DescribedMetric = { value: number } & Pick<MetricMeaning, 'better' | 'unit'>

/** What was measured of a model when it was written. */
export interface Measurement {
  /** By test and name, e.g. `test/accuracy`; none where they could not be measured. */
  metrics: Record<string, DescribedMetric>
  /** Of each test the examples that it was evaluated on, the first so many. */
  examples: Record<string, number>
  /** The most examples of a test that it would have been evaluated on. */
  limit: number
  /** What is missing among the metrics, and why. */
  missing: string[]
}

/** What to measure, and how. */
export interface MeasureOptions {
  /** The most examples of each test. */
  limit: number
  /** Called after each batch, with the examples of a test that are evaluated by then. */
  onBatch(split: string, examples: number): void
}

/**
 * The metrics of a model on the tests of its run, from their first examples on. None where the data has changed since
 * the run, since its examples may be others, or cannot be read.
 */
export async function measure(
  model: Model,
  task: Task,
  run: StoredRunDetails,
  { limit, onBatch }: MeasureOptions,
): Promise<Measurement> {
  const spec = recordedSpec(run.spec, `run ${run.id}`)
  const none = (why: string): Measurement => ({ metrics: {}, examples: {}, limit, missing: [why] })
  if (spec.data !== keyedData(spec.task, task)) {
    const today = 'nothing was evaluated, and the names of classes are those of today'
    return none(`The data set is not the one that the run was trained with any more: ${today}.`)
  }
  const held = createEvaluator(model, withoutTeacher(task))
  try {
    const { metrics, examples, problems } = await held.test(limit, async (...done) => onBatch(...done))
    const untaught = [...metrics].flatMap(([name, { value }]) =>
      task.taught && (Number.isNaN(value) || measureOf(name) === 'loss') ? [name] : [],
    )
    const described = [...metrics].flatMap(([name, { value, meaning }]): [string, DescribedMetric][] => {
      const { better, unit } = meaning
      return isTiming(name) || untaught.includes(name)
        ? []
        : [[name, { value, ...(better && { better }), ...(unit && { unit }) }]]
    })
    const judged = new Set(task.evaluators().map(({ name }) => name))
    const ofCells = Object.keys(spec.metrics ?? {}).filter((name) => !judged.has(name))
    const unknown = ofCells.map(
      (name) => `\`${name}\` was not evaluated: the cells that define it cannot be evaluated.`,
    )
    return {
      metrics: Object.fromEntries(described),
      examples,
      limit,
      missing: [...unknown, ...withoutTeacherText(untaught), ...problems],
    }
  } catch (error) {
    return none(`The tests could not be evaluated: ${messageOf(error)}`)
  } finally {
    held.dispose()
  }
}

/** That metrics need what the teacher of a run says. */
function withoutTeacherText(names: readonly string[]): string[] {
  const listed = names.map((name) => `\`${name}\``).join(', ')
  return names.length > 0 ? [`${listed}: not evaluated, since the teacher of the run is not here.`] : []
}
