import { dispose, type NamedTensorMap, type Tensor } from '@tensorflow/tfjs-core'
import type { EagerFallback } from '../compile/eagerFallback.ts'
import { compiled } from '../compile/model.ts'
import { canJudge, judged } from '../evaluate/judged.ts'
import type { BatchValues, Evaluator, Judged } from '../evaluate/types.ts'
import type { Mode, Model } from '../nn/model.ts'
import type { MetricMeaning } from '../records/meaning.ts'
import type { Outcomes, RunOutcomes } from '../records/outcomes/outcomes.ts'
import type { Report, RunReport } from '../records/report.ts'
import { TEST, VALIDATION } from '../records/splits.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { LOSS, PACE } from './meanings.ts'
import { EXAMPLES_PER_SECOND } from './timings.ts'

/** Examples per evaluation batch. */
export const EVALUATION_BATCH = 128

/** Called after each batch, with the examples of a split that are evaluated by then. */
type Pause = (split: string, examples: number) => Promise<void>

type Collector = Pick<Evaluator, 'add' | 'addJudged' | 'reads'>

/** Evaluates a model on the validation split during training, and on the tests at its end. */
export interface ModelEvaluator {
  /** Goes over the first `limit` examples of the validation split, or all. */
  validate(limit: number | undefined, pause: Pause): Promise<EvaluationResults>
  /** The same for each test of the task, with a report. To be done once, with the weights that validation chose. */
  test(limit: number | undefined, pause: Pause): Promise<EvaluationResults>
  /** The same for one split, `train` too: of this a fixed part. */
  on(split: string, limit: number | undefined, pause: Pause): Promise<EvaluationResults>
  /** Why it runs operation by operation, once it does. */
  fallback(): EagerFallback | null
  dispose(): void
}

export interface EvaluationResults {
  /** Loss, all metrics of the task and the examples per second, forward alone, by name. */
  metrics: Map<string, Measured>
  /** How many examples of each split there were. */
  examples: Record<string, number>
  report: RunReport
  /** What came of each example of the tests. */
  outcomes: RunOutcomes
  /** Why metrics of cells are not numbers. */
  problems: string[]
}

export interface Measured {
  value: number
  meaning: MetricMeaning
}

/** What the model says to a batch of the task. */
export function predict({ predict: own }: Task, model: Model, batch: Batch, mode: Mode): Tensor {
  return own ? own(model, batch, mode) : model.apply(batch.input, mode)
}

export function createEvaluator(model: Model, task: Task): ModelEvaluator {
  const judges = canJudge()
  /** `judging`: where that is possible and pays, what was found of the rows in place of the prediction. */
  const codeOf = (judging: boolean) =>
    compiled<string>(model, { training: false }, (batch, { mode }) => {
      const prediction = predict(task, model, batch as Batch, mode)
      const found = judging && batch.target ? judged(prediction, batch.target) : null
      return { loss: task.loss(prediction, batch as Batch), ...(found ?? { prediction }) }
    })
  const whole = codeOf(false)
  const judging = judges ? codeOf(true) : whole
  /** Whether predictions are read in any case; known after the first batch. */
  let isPlain = !judges

  const readouts = task.readouts?.(model)

  async function evaluate(split: string, limit: number | undefined, pause: Pause, withReport: boolean) {
    const evaluators = task.evaluators()
    const collector = withReport ? task.report?.() : undefined
    const outcomes = withReport ? task.outcomes?.() : undefined
    const collectors: Collector[] = [collector, outcomes, ...evaluators].filter((each) => each !== undefined)
    const code = isPlain || collectors.every(({ addJudged }) => addJudged) ? judging : whole
    // pictures, say, are left where they are
    const read = collectors.every(({ reads }) => reads) && ['weights', ...collectors.flatMap(({ reads = [] }) => reads)]
    const paces: number[] = []
    let [total, counted] = [0, 0]
    let examples = 0
    for await (const batch of task.evalBatches(split, EVALUATION_BATCH, limit)) {
      const count = batch.input.shape[0] ?? 0
      const before = performance.now()
      const found = await code.run(batch, 0)
      const { loss, prediction, ...rows } = await valuesOf(found)
      paces.push((1000 * count) / (performance.now() - before))
      const values = await valuesOf(read ? pick(batch, read) : batch)
      dispose([batch, found])
      isPlain ||= code === judging && prediction !== undefined
      for (const each of collectors) {
        if (prediction) each.add(prediction as Float32Array, values)
        else each.addJudged?.(rows as unknown as Judged, values)
      }
      const weight = task.weighed ? (values.weights as Float32Array).reduce((sum, each) => sum + each, 0) : count
      total += (loss?.[0] as number) * weight
      counted += weight
      examples += count
      await pause(split, examples)
    }
    const metrics: [string, Measured][] = [
      ['loss', { value: total / counted, meaning: task.lossMeaning ?? LOSS }],
      ...evaluators.map(({ name, meaning, value }): [string, Measured] => [name, { value: value(), meaning }]),
      [EXAMPLES_PER_SECOND, { value: median(paces), meaning: PACE }],
    ]
    return {
      metrics,
      // a question about a long passage is several rows
      examples: Math.min(examples, limit ?? examples, task.knownOf?.(split).size ?? examples),
      report: collector?.value(),
      outcomes: outcomes?.value(),
      problems: evaluators.flatMap(({ problem }) => problem?.() ?? []),
    }
  }

  async function over(splits: string[], limit: number | undefined, pause: Pause, withReport: boolean) {
    const metrics = new Map<string, Measured>()
    const examples: Record<string, number> = {}
    const problems: string[] = []
    const reports: [string, Report][] = []
    const outcomes: [string, Outcomes][] = []
    for (const split of splits) {
      const found = await evaluate(split, limit, pause, withReport)
      for (const [name, value] of found.metrics) metrics.set(`${split}/${name}`, value)
      examples[split] = found.examples
      problems.push(...found.problems)
      if (found.report) reports.push([split, found.report])
      if (found.outcomes) outcomes.push([split, found.outcomes])
    }
    const byTest = { report: Object.fromEntries(reports), outcomes: Object.fromEntries(outcomes) }
    return { metrics, examples, ...byTest, problems }
  }

  async function validate(limit: number | undefined, pause: Pause) {
    const found = await over([VALIDATION], limit, pause, false)
    if (!readouts) return found
    const { metrics, problems } = await readouts.read()
    return { ...found, metrics: new Map([...found.metrics, ...metrics]), problems: [...found.problems, ...problems] }
  }

  return {
    validate,
    on: (split, limit, pause) => over([split], limit, pause, false),
    test: (limit, pause) => over(task.tests ?? [TEST], limit, pause, true),
    fallback: () => judging.fallback() ?? whole.fallback(),
    dispose: () => {
      judging.dispose()
      whole.dispose()
      readouts?.dispose()
    },
  }
}

function pick(tensors: NamedTensorMap, names: readonly string[]): NamedTensorMap {
  return Object.fromEntries(Object.entries(tensors).filter(([name]) => names.includes(name)))
}

async function valuesOf(tensors: NamedTensorMap): Promise<BatchValues> {
  const entries = Object.entries(tensors).map(async ([name, tensor]) => [name, await tensor.data()])
  return Object.fromEntries(await Promise.all(entries))
}

/** Of two in the middle the larger. Unlike a mean it is not moved by the batch that a program was compiled for. */
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0
}
