import type { StudyDesign } from '../../records/design.ts'
import { answers } from '../questions/answers.ts'
import { type Judgement, type Verdict, type VerdictsInput, verdicts } from '../statistics/index.ts'

/** Why a study that is looked at after every seed needs no more of them. */
export interface Stop {
  /** Whether all was decided; else what is open cannot be decided by the seeds that are left. */
  decided: boolean
  /** The seed of the look that ended it; null where none was over. */
  seed: number | null
  upTo: number
}

/** Variants without further runs: they are not trained, or their code fails. */
type Ended = ReadonlySet<string>

/**
 * Whether the seeds that are left could still change what a study says, by the runs that are over; null where they could.
 * A comparison is over once it is decided, or cannot be any more; of questions in their order, too, all that come after one
 * that stays open.
 */
export function stopOf(input: VerdictsInput & { design: StudyDesign }, ended: Ended): Stop | null {
  const { anytime, correction } = input.design
  if (!anytime) return null
  const compared = verdicts(input).map((each) => stateOf(each, endedPair(each, ended)))
  const asked = answers(input).map(({ findings }) =>
    findings.map((each) =>
      stateOf(
        each,
        each.variants.some((variant) => ended.has(variant)),
      ),
    ),
  )
  const states = correction === 'holm' ? [...compared, ...asked.flat()] : [...compared, ...untilOpen(asked)]
  if (states.some(({ over }) => !over)) return null
  const tried = states.filter(({ ended }) => !ended)
  const decided = tried.length > 0 && tried.every((each) => each.decided !== null)
  const seeds = states.flatMap(({ decided, last }) => decided ?? last ?? [])
  return { decided, seed: seeds.length > 0 ? Math.max(...seeds) : null, upTo: anytime.upTo }
}

/** What ended a study, in words: `decided with seed 10 of at most 24`. */
export function stopText({ decided, seed, upTo }: Stop): string {
  if (decided) return `decided with seed ${seed} of at most ${upTo}`
  return seed === null ? 'nothing can be decided' : `nothing more can be decided after seed ${seed} of at most ${upTo}`
}

/** What is known of a comparison, or of a part of a question. */
interface State {
  over: boolean
  ended: boolean
  /** The seed with which it was decided, and that of the last look. */
  decided: number | null
  last: number | null
}

function stateOf(
  { looks, problems }: Pick<Judgement, 'looks'> & { problems: readonly string[] },
  ended: boolean,
): State {
  const { decidedWith: decided = null, reachable = false, path = [] } = looks ?? {}
  const over = decided !== null || !reachable || ended || problems.length > 0
  return { over, ended, decided, last: path.at(-1)?.seed ?? null }
}

const endedPair = ({ variant, baseline }: Verdict, ended: Ended) => ended.has(variant) || ended.has(baseline)

/** The states of the questions up to the first that is over and open: what comes after it decides nothing. */
function untilOpen(asked: readonly State[][]): State[] {
  const open = asked.findIndex(
    (parts) => parts.every(({ over }) => over) && parts.some((each) => each.decided === null),
  )
  return (open < 0 ? asked : asked.slice(0, open + 1)).flat()
}
