import type { BackendInfo } from '../../backends/types.ts'
import type { FileSource, Watch } from '../../data/files.ts'
import { MixlabError } from '../../errors.ts'
import type { PlannedRun, StudyEvent } from '../../records/run.ts'
import type { RunStore } from '../../records/store.ts'
import type { Study } from '../compare.ts'
import { type StudyOptions, seedsOf } from '../design/resolve.ts'
import { openStudy, watching } from '../open.ts'
import { comparedReadout } from '../readouts/study.ts'
import { choose } from './choose.ts'
import { studyChosen, studyWith, tuningStudy } from './grid.ts'
import { trainedNames } from './kept.ts'
import { tunedName } from './names.ts'
import type { TriedValue, Tune } from './tune.ts'

/** What tuning needs of the environment of a study. */
interface TunedEnvironment extends StudyOptions, Watch {
  runs: Pick<RunStore, 'findDone'>
  files: FileSource
  backend: BackendInfo
  candidates?: unknown
  preflight?: unknown
  planned?: ((runs: PlannedRun[]) => Promise<void>) | undefined
  keys?: readonly string[] | undefined
}

/** Trains the missing runs of a study that has nothing to choose any more. */
type Execute<Environment> = (study: Study, environment: Environment) => AsyncGenerator<StudyEvent>

/**
 * Trains the runs of tuning, with a `plan` and an `end` of their own, chooses from them the values of each variant, and
 * trains the study with these: with all that they cannot tell from the best, in the quick mode and with looks after every seed
 * with the best alone. What is chosen depends on finished runs alone, so that it is the same wherever this was
 * interrupted. Where only some runs are trained, and others of tuning are missing, it ends with these. Throws before training
 * for anything wrong with the study, with any of its values.
 */
export async function* executeTuned<Environment extends TunedEnvironment>(
  study: Study,
  tune: Tune,
  environment: Environment,
  execute: Execute<Environment>,
): AsyncGenerator<StudyEvent> {
  checkSeeds(study, tune, environment)
  checkMetric(study)
  const [firstValue] = tune.tried as [TriedValue]
  const { quick } = environment
  const first = studyWith(study, () => firstValue)
  await watching(environment, (files) => openStudy(first, environment, files)) // says what is wrong with the report before anything is trained
  const tuning = tuningStudy(study, tune)
  const planned = async (runs: PlannedRun[]) => {
    if (!quick) checkDifferent(study, tune, runs) // its few steps are the same for all
  }
  const own = { ...environment, seeds: undefined, only: undefined, preflight: undefined, planned }
  let plan: Pick<Extract<StudyEvent, { type: 'plan' }>, 'runs' | 'metric'> | null = null
  let interrupted = false
  let { backend, candidates } = environment
  for await (const event of execute(tuning, own)) {
    if (event.type === 'plan' && event.study === tuning.name) plan = event
    if (event.type === 'end') interrupted = event.interrupted
    if (event.type === 'backend') {
      backend = event.backend as BackendInfo
      candidates = undefined // the study stays on it
    }
    yield event
  }
  if (interrupted || !plan) return
  const { runs, metric } = plan
  const variants = Object.keys(study.spec.variants)
  const done = await environment.runs.findDone([...new Set(runs.map(({ key }) => key))])
  if (environment.keys && runs.some(({ key }) => !done.some((run) => run.key === key))) return // nobody knows yet
  const isFixed = !seedsOf(study.spec, environment).anytime // the joint test needs all seeds at once
  const design = choose({ study: study.name, variants, metric, runs, done }, tune, isFixed && !quick)
  const trained = trainedNames(design)
  const only = environment.only?.flatMap((variant) => trained.get(variant) ?? [variant])
  yield* execute(studyChosen(study, tune, design), { ...environment, backend, candidates, only })
}

/** Throws MixlabError `option` where the study itself has a seed of tuning. */
function checkSeeds({ name, spec }: Study, { seeds }: Tune, options: StudyOptions): void {
  const both = seedsOf(spec, options).seeds.find((seed) => seeds.includes(seed))
  if (both === undefined) return
  const what = `seed ${both} is one of the study, too; choose with others, e.g. tuned(…, …, { seeds: 3 }) for 1001 to 1003`
  throw new MixlabError('option', `${name}.tune`, what)
}

/** Throws MixlabError `option` where the study compares by what no validation measures. */
function checkMetric(study: Study): void {
  const readout = comparedReadout(study)
  if (readout === null) return
  throw new MixlabError('option', `${study.name}.tune`, `${readout} is not measured on validation, which chooses`)
}

/** Throws MixlabError `option` where a variant is the same with two values. */
function checkDifferent({ name, spec }: Study, { tried }: Tune, runs: readonly PlannedRun[]): void {
  for (const variant of Object.keys(spec.variants)) {
    const keys = tried.map((value) => runs.find((run) => run.variant === tunedName(variant, value))?.key)
    const place = keys.findIndex((key, i) => keys.indexOf(key) < i)
    if (place < 0) continue
    const [value, other] = [tried[place], tried[keys.indexOf(keys[place])]]
    const what = `${variant} is the same with ${other?.name} and ${value?.name}; what it sets has to differ`
    throw new MixlabError('option', `${name}.tune`, what)
  }
}
