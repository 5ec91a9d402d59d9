import type { FileSource } from '../data/files.ts'
import { MixlabError } from '../errors.ts'
import type { Modules } from '../notebook/modules.ts'
import { packOutcomes } from '../records/outcomes/pack.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { planOf, rebuild } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import { createEvaluator } from '../train/evaluate.ts'
import type { Known } from './factors.ts'

/**
 * What a stored run comes to on each of its test examples, evaluated again with such weights: those that it was tested with
 * give what it has kept, on the same backend. Throws as `rebuild`, and MixlabError `option` for a task that nothing is kept of.
 */
export async function outcomesAgain(
  run: StoredRunDetails,
  weights: Uint8Array,
  files: FileSource,
  modules: Modules,
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const source = `run ${run.id}`
  const { model, task, dispose } = await rebuild(run, weights, files, modules)
  const evaluator = createEvaluator(model, task)
  try {
    const { testExamples } = recordedSpec(run.spec, source).train as { testExamples?: number }
    const packed = packOutcomes((await evaluator.test(testExamples, pause)).outcomes)
    if (packed) return packed
    throw new MixlabError('option', source, 'its task says nothing of single examples')
  } finally {
    evaluator.dispose()
    dispose()
  }
}

/** What is known of test examples of a stored run beside what they show. Throws as `planOf`. */
export async function knownExamples(
  run: StoredRunDetails,
  test: string,
  indices: readonly number[],
  files: FileSource,
  modules: Modules,
): Promise<Known> {
  const { task, forget } = await planOf(run, files, modules)
  try {
    const { planted, groupOf } = task.knownOf?.(test) ?? {}
    return {
      planted: planted ? indices.map((index) => planted(index)) : null,
      groups: groupOf ? indices.map((index) => groupOf(index)) : null,
    }
  } finally {
    forget()
  }
}
