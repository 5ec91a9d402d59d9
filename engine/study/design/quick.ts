import type { StudySpec } from '../compare.ts'
import { seedList } from '../seeds.ts'

/** The quick mode shared by all studies: enough to see that everything works, in about a minute or two. */
const QUICK = { steps: 150, seeds: 3, evalExamples: 512, evaluations: 5 }

/** A study as the quick mode runs it: its own `quick` part, then the bounds that hold for all. */
export function quickSpec(spec: StudySpec): StudySpec {
  const { quick = {}, ...full } = spec
  const train = { ...full.train, ...quick.train }
  const steps = quick.train?.steps ?? Math.min(train.steps ?? QUICK.steps, QUICK.steps)
  const { warmup, steps: whole } = full.train ?? {}
  const sooner = warmup && whole ? { warmup: Math.round((warmup * steps) / whole) } : {}
  return {
    ...full,
    task: quick.task ?? full.task,
    model: { ...full.model, ...quick.model },
    train: {
      ...full.train,
      ...sooner, // warm-up stays the same part of all steps
      ...quick.train,
      steps,
      evalEvery: quick.train?.evalEvery ?? Math.ceil(steps / QUICK.evaluations),
      evalExamples: Math.min(train.evalExamples ?? QUICK.evalExamples, QUICK.evalExamples),
      testExamples: Math.min(train.testExamples ?? QUICK.evalExamples, QUICK.evalExamples),
    },
    seeds: quick.seeds ?? seedList(full.seeds ?? QUICK.seeds).slice(0, QUICK.seeds),
  }
}
