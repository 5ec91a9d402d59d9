import type { FileSource } from '../../../engine/data/files.ts'
import { knownExamples, outcomesAgain } from '../../../engine/examples/again.ts'
import { shownExamples } from '../../../engine/examples/shown.ts'
import type { Modules } from '../../../engine/notebook/modules.ts'
import type { ExamplesAnswer, ExamplesRequest } from '../../protocol/kernel.ts'
import { yieldToEvents } from '../yieldToEvents.ts'

/** Test examples of a stored run, as they are asked for; throws as `rebuild`. */
export async function examplesOf(
  { run, test, weights, shown, known, again }: ExamplesRequest,
  files: FileSource,
  modules: Modules,
): Promise<ExamplesAnswer> {
  return {
    ...(shown && { shown: await shownExamples(run, test, shown, weights, files, modules) }),
    ...(known && { known: await knownExamples(run, test, known, files, modules) }),
    ...(again && weights && { outcomes: await outcomesAgain(run, weights, files, modules, yieldToEvents) }),
  }
}
