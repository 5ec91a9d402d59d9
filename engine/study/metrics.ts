import { tidy } from '@tensorflow/tfjs-core'
import { withoutChance } from '../chance.ts'
import type { DefinitionCode } from '../definitions.ts'
import { MixlabError, messageOf, suggest } from '../errors.ts'
import type { Metric, MetricCollector } from '../evaluate/metric.ts'
import type { Evaluator } from '../evaluate/types.ts'
import type { Naming } from '../notebook/closures/identity.ts'
import { locate } from '../notebook/location.ts'
import { provenanceOf } from '../notebook/provenance.ts'
import { measureOf, migrateMetricName, TEST, VALIDATION } from '../records/splits.ts'
import type { Task } from '../tasks/types.ts'
import { EXAMPLES_PER_SECOND } from '../train/timings.ts'
import type { Study } from './compare.ts'
import { definitionCode } from './design/definitionCode.ts'
import { comparedReadout, metricOfReadout } from './readouts/study.ts'

/**
 * A task that measures the metrics of a study beside its own, and compares by the one that the study names. Throws
 * MixlabError `option` where a name is taken or not measured, or the code of two different metrics has the same text.
 */
export async function withStudyMetrics(task: Task, study: Study): Promise<Task> {
  const { metrics = [] } = study.spec
  const own = task.metrics ?? []
  const judged = ['loss', ...task.evaluators().map(({ name }) => name), ...own.map(({ name }) => name)]
  const taken = metrics.find(({ name }) => [...judged, EXAMPLES_PER_SECOND].includes(name))
  if (taken) {
    const why = `'${taken.name}' is taken: the task itself measures ${judged.join(', ')} and ${EXAMPLES_PER_SECOND}`
    throw new MixlabError('option', `${study.name}.metrics`, why)
  }
  const names = [...judged, ...metrics.map(({ name }) => name)]
  const given = comparedReadout(study) ? task.metric : (study.spec.metric ?? task.metric)
  const metric = comparedBy(given)
  const measured = [...(task.tests ?? [TEST]), VALIDATION].flatMap((split) => names.map((name) => `${split}/${name}`))
  const known = [...measured, ...(study.spec.readouts ?? []).map(metricOfReadout)]
  if (!known.includes(metric)) {
    throw new MixlabError('option', `${study.name}.metric`, `unknown metric '${given}'${suggest(metric, known)}`)
  }
  if (metrics.length === 0 && own.length === 0 && metric === task.metric) return task
  const codes: Record<string, DefinitionCode> = {}
  for (const each of metrics) codes[each.name] = await measuredBy(each, study)
  return {
    ...task,
    metric,
    evaluators: () => [...task.evaluators(), ...[...own, ...metrics].map((each) => evaluatorOf(each, study))],
    metrics: [],
    measured: {
      ...(metrics.length > 0 && { metrics: codes }),
      // which split they are compared by changes nothing of a run
      ...(measureOf(metric) !== measureOf(task.metric) && { metric: measureOf(metric) }),
    },
  }
}

/**
 * The metric that a name in a cell means: a name without a split, or with the split of earlier versions, means the
 * test.
 */
function comparedBy(name: string): string {
  return name.includes('/') ? migrateMetricName(name) : `${TEST}/${name}`
}

/** How a metric enters the key: by its meaning, without the words for it, and what it computes. */
export function measuredBy(metric: Metric, study: Study, naming?: Naming): Promise<DefinitionCode> {
  const { words: _, ...meaning } = metric.meaning
  return definitionCode(metric, { study, path: `${study.name}.metrics`, what: 'metric', says: { meaning }, naming })
}

/** What to do where code keeps a tensor of a model, which is gone after its pass. */
function hint(error: unknown): string {
  const isGone = /is disposed/.test(messageOf(error))
  return isGone ? '; tensors of a model are gone after each pass: readout() reads its weights' : ''
}

/** A metric of a cell: an error in it makes the value NaN and becomes a warning, so that no run is lost for it. */
function evaluatorOf(metric: Metric, study: Study): Evaluator {
  const { name, meaning, collect } = metric
  let collector: MetricCollector | undefined
  let problem: string | undefined
  const attempt = (work: () => number | undefined): number => {
    if (problem !== undefined) return Number.NaN
    try {
      const value = withoutChance(() => tidy(work), 'a metric must not draw') as unknown
      if (typeof value === 'number' && Number.isFinite(value)) return value
      problem = `metric '${name}' gave ${typeof value === 'number' ? value : `a value of type ${typeof value}`}`
      return typeof value === 'number' ? value : Number.NaN
    } catch (error) {
      const cell = (provenanceOf(metric) ?? provenanceOf(study))?.cell
      problem = `metric '${name}' failed, and is not a number: ${messageOf(cell ? locate(error, cell) : error)}${hint(error)}`
      return Number.NaN
    }
  }
  return {
    name,
    meaning,
    add: (prediction, batch) =>
      void attempt(() => {
        collector ??= collect()
        collector.add(prediction, batch)
        return 0
      }),
    value: () => attempt(() => (collector ?? collect()).value()),
    problem: () => problem,
  }
}
