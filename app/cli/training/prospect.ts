import { MixlabError } from '../../../engine/errors.ts'
import type { StudyPlan } from '../../../engine/records/design.ts'
import { type MetricMeaning, meaningIn } from '../../../engine/records/meaning.ts'
import { alikeOf } from '../../../engine/study/planned/alike.ts'
import {
  costLines,
  type Outlook,
  type OutlookOfQuestion,
  outlook,
  shownLines,
} from '../../../engine/study/planned/outlook.ts'
import { powerFor } from '../../../engine/study/questions/prospects.ts'
import { looksText, marginProspect, prospect } from '../../../engine/study/statistics/index.ts'
import { seedsForEqual as equalSeeds } from '../../../engine/study/statistics/power.ts'
import { ALPHA } from '../../../engine/study/statistics/signFlip.ts'
import type { LocalHost } from '../../host.ts'
import type { PlanEvent } from './comparison.ts'

/** What a question can show, and the power for an effect. */
interface PoweredQuestion extends OutlookOfQuestion {
  power: number
  /** The fewest seeds for a power of 0.8; null where it takes more than 200. */
  seedsForPower: number | null
  /** The same to be shown within the margin; null without one, too. */
  seedsForEqual: number | null
}

/** What a study can show and costs, before it is trained. */
export interface Planned {
  study: string
  metric: string
  variants: number
  /** What stored runs mean by the metric. */
  meaning: MetricMeaning
  /** Its plan; null where it never began to train. */
  planned: StudyPlan | null
  /** The effect that power is told for, in the unit of the metric; null for one standard deviation. */
  effect: number | null
  outlook: Omit<Outlook, 'questions'> & { questions: PoweredQuestion[] }
  /** How it is looked at after every seed, in words; null for seeds that are fixed before, which `outlook` is of. */
  looks: string | null
  /** What each question can show, and what it costs, in words. */
  shown: string[]
  cost: string[]
}

/** Throws MixlabError `option` for an `effect` where the spread of the metric is not known. */
export async function plannedOf(
  { study, design, runs, metric }: PlanEvent,
  host: Pick<LocalHost, 'alikeRuns'>,
  effect?: number,
): Promise<Planned> {
  const [first] = runs
  const stored = first ? await host.alikeRuns(first.spec) : []
  const alike = alikeOf(stored, metric)
  if (effect !== undefined && alike.sd === null) {
    const why = `how much ${metric} of '${study}' differs between seeds is not known before runs like these are done`
    throw new MixlabError('option', '--effect', why)
  }
  const missing = new Set(runs.flatMap(({ key, done }) => (done ? [] : [key]))).size
  const seen = outlook(design, missing, alike, effect)
  const questions = seen.questions.map((question) => {
    const size = effect === undefined || question.sd === null ? 1 : Math.abs(effect) / question.sd
    const { power, seeds: seedsForPower } = powerFor(question, size, seen.seeds)
    const { sd, equal, family } = question
    const seedsForEqual =
      equal === null || !sd || !design.margin ? null : equalSeeds(design.margin / sd, ALPHA / family)
    return { ...question, power, seedsForPower, seedsForEqual }
  })
  const found = { ...seen, questions }
  const meaning = meaningIn(stored, metric)
  const { anytime, together, variants, planned = null } = design
  const looks = anytime ? looksText(anytime.upTo, variants.length - 1, together?.length) : null
  const shown = [...(looks ? [looks] : []), ...(variants.length > 1 ? shownLines(found, meaning) : [])]
  const said = { looks, shown, cost: costLines(found, meaning) }
  return { study, metric, variants: variants.length, meaning, planned, effect: effect ?? null, outlook: found, ...said }
}

/** Says what a study can show and costs, where it is a comparison and something is still to be trained. */
export async function prospectLines(plan: PlanEvent, host: Pick<LocalHost, 'alikeRuns'>): Promise<string[]> {
  const { study, design, runs } = plan
  if (design.variants.length < 2 || runs.every(({ done }) => done)) return []
  const { outlook: found, looks, shown, cost } = await plannedOf(plan, host)
  const pairs =
    design.questions || looks
      ? []
      : [prospect(found.seeds, design.variants.length - 1, design.together?.length).sentence]
  const equal =
    design.margin !== undefined && !design.questions
      ? marginProspect(found.seeds, design.variants.length - 1, design.together?.length)
      : null
  return [...new Set([...pairs, ...(equal === null ? [] : [equal]), ...shown, ...cost])].map(
    (line) => `${study}: ${line}`,
  )
}
