import { sourceNotebookText } from '../sourceNotebook.ts'
import { differencesOf } from './sameRecipe.ts'
import type { ComparedRun } from './types.ts'

/** Whether runs can be compared, and what is to be known of them. */
export interface Soundness {
  /** Why they cannot, e.g. `train.batch 64 and 128`. */
  problems: string[]
  /** What else to know, e.g. `backend simd and webgpu`. */
  notes: string[]
}

/** What makes pairs of runs unsound, and what is to be known of them; each once. What is intended, by path, may differ. */
export function soundness(
  pairs: readonly (readonly [ComparedRun, ComparedRun])[],
  metric: string,
  intended: ReadonlySet<string>,
  notebook: string | null | undefined,
): Soundness {
  const problems = pairs.flatMap(([a, b]) => [
    ...(a.spec && b.spec ? differencesOf(a.spec, b.spec, metric, intended) : []),
    ...otherReadout(a, b, metric),
  ])
  const backends = pairs.flatMap(([a, b]) => (a.backend === b.backend ? [] : [`backend ${a.backend} and ${b.backend}`]))
  const runs = [...new Set(pairs.flat())]
  const taken = sourceNotebookText(runs, notebook)
  const notes = [...backends, ...runs.flatMap(surrogateText), ...(taken ? [taken] : [])]
  return { problems: [...new Set(problems)], notes: [...new Set(notes)] }
}

/** That the value of one run was read off by other code than that of the other. */
function otherReadout(a: ComparedRun, b: ComparedRun, metric: string): string[] {
  if (!a.metrics[metric] || !b.metrics[metric]) return [] // one diverged before it was measured
  const [own, other] = [a, b].map(({ metrics }) => metrics[metric]?.meaning?.readout)
  return own === other ? [] : [`the code of ${metric}`]
}

/** That a run was trained by a gradient that is meant to differ from the derivative. */
function surrogateText({ variant, spec }: ComparedRun): string[] {
  const { surrogates } = (spec as { model?: { surrogates?: string } } | undefined)?.model ?? {}
  return surrogates ? [`${variant} has a surrogate gradient (${surrogates})`] : []
}
