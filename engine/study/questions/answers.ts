import type { Standing } from '../../records/design.ts'
import { type MetricMeaning, meaningIn } from '../../records/meaning.ts'
import type { AskedQuestion } from '../../records/question.ts'
import { trainingText } from '../floors/shortTraining.ts'
import { familyText, familyVerdict, strictest } from '../ledger/familyVerdict.ts'
import { learnedRules, type SeedNumber } from '../statistics/failures.ts'
import { flipped, type PValue, studiesWith, type Test } from '../statistics/family.ts'
import { claimBy, failuresOf, judge, testOf } from '../statistics/judge.ts'
import type { FamilyVerdict, Interim, Judgement, Parts, Saying, VerdictsInput } from '../statistics/judgement.ts'
import { interimOf, judgedParts, onlyClaim, planText, plural, sentenceOf } from '../statistics/sentences.ts'
import { judgeLooks, seedsUpTo } from '../statistics/sequentialTest.ts'
import { ALPHA } from '../statistics/signFlip.ts'
import { unplanned } from '../statistics/verdict.ts'
import { askedVariants } from '../tuning/kept.ts'
import { askedOf } from './asked.ts'
import { kindOf } from './index.ts'
import { type LookedPart, looksInOrder } from './looked.ts'
import { type ContrastNumbers, isOriented, knownRuns, numbersOf } from './numbers.ts'
import { inOrder, type TestedQuestion } from './order.ts'
import type { Contrast } from './types.ts'

/** What the runs answer to one part of a question. */
export interface Finding extends Judgement {
  /** What is asked, e.g. `block mixer instead of gmlp`. */
  name: string
  /** The variants whose runs it is computed from. */
  variants: readonly string[]
  /** By seed, in the unit of the metric unless the question has its own. */
  numbers: SeedNumber[]
  /** Seeds of which a run is missing or failed, or has no number. */
  missing: number[]
  /** What a number means: as of the metric, with the direction and the unit of what is asked. */
  meaning: MetricMeaning
  problems: string[]
  notes: string[]
  /** What a claim of it is called; without, better and worse. */
  say?: Saying | undefined
  /** What it comes to in a clause, where the question has one. */
  short?: string | undefined
  /** How many of the planned seeds are done, where some are missing. */
  interim: Interim | null
  /** What it shows among all comparisons that the store has seen of these networks; left out where it has none. */
  ledger?: FamilyVerdict | undefined
  /** The sentence in its parts. */
  parts: Parts
  /** All of it in words. */
  sentence: string
}

/** What the runs of a study answer to one of its questions. */
export interface Answer {
  question: AskedQuestion
  title: string
  findings: Finding[]
  /** Why it is not answered as planned, e.g. that one before it is open; null where it is. */
  exploratory: string | null
}

/**
 * What the runs of a study answer to what it asks, in the order of its plan; nothing for a study that asks nothing but
 * how its variants compare to the first. Throws MixlabError `option` where a question does not fit the study.
 */
export function answers(input: VerdictsInput): Answer[] {
  const { design, metric } = input
  if (!design?.questions) return []
  const meaning = meaningIn(input.runs, metric)
  const ruleOf = learnedRules(input, meaning)
  const asked = askedOf('', askedVariants(design.variants, design.tuned))
  const known = knownRuns(input)
  const all = design.questions.map((question) => {
    const kind = kindOf(question)
    return {
      question,
      title: kind.title(question),
      parts: kind.contrasts(question, asked).map((each) => numbersOf(each, ruleOf, meaning, input, known)),
    }
  })
  const other = unplanned(input, meaning)
  const parts = all.map((each) => each.parts)
  const { correction, anytime } = design
  const testsAmong = (studies: number): TestedQuestion<Test | LookedPart>[] =>
    anytime
      ? looksInOrder(parts, input.runs, seedsUpTo(anytime), correction, studies)
      : inOrder(
          parts.map((own) => own.map((part) => testOfPart(part, meaning))),
          correction,
          studies,
        )
  const tests = testsAmong(studiesWith(design))
  const standing = strictest(design.ledger)
  const inFamily = standing && testsAmong(ALPHA / standing.level)
  const found = all.map(({ question, title, parts }, place): Answer => {
    const { tests: own, exploratory: late } = tests[place] as (typeof tests)[number]
    const exploratory = other ?? late
    const findings = parts.map((part, i) => {
      const test = inFamily?.[place]?.tests[i]
      const family = standing && test && { standing, test }
      const training = trainingText(input, part.variants, meaning)
      return findingOf(part, own[i] as Test | LookedPart, meaning, exploratory, family, training)
    })
    return { question, title, findings, exploratory }
  })
  return found.filter(({ question }) => kindOf(question).isSaid?.(question, found) ?? true)
}

/** The test of a part of a question; p = 1 where its runs cannot be compared, or where there are none. */
function testOfPart(part: ContrastNumbers, meaning: MetricMeaning): PValue {
  const { contrast, seeds, numbers, problems, unchosen } = part
  if (problems.length > 0 || unchosen || seeds.length + numbers.length === 0) return flipped([])
  return contrast.test?.(seeds, meaning) ?? testOf(part)
}

/** What the numbers of a contrast show by their test, with the direction and the unit that they have. */
function findingOf(
  part: ContrastNumbers,
  test: Test | LookedPart,
  metric: MetricMeaning,
  exploratory: string | null,
  family: { standing: Standing; test: Test | LookedPart } | undefined,
  training: string[],
): Finding {
  const { contrast, seeds, numbers, problems, notes, variants } = part
  const { name, say, sides, at, unitless, words } = contrast
  const looked = 'outcomes' in test ? test : null
  const missing = looked ? looked.gap : part.missing
  const better = isOriented(contrast) ? metric.better : undefined
  const meaning = unitless ? { better } : { ...metric, better }
  const looksBy = (test: LookedPart) => judgeLooks(test.outcomes, test, meaning, problems, failuresOf(part))
  const judgement = 'outcomes' in test ? looksBy(test) : judge(part, test, meaning, problems)
  const judged = {
    ...{ ...judgement, meaning, problems, say, sides },
    seeds: looked ? looked.outcomes.length : numbers.length,
  }
  const over = looked ? looked.outcomes.length : Math.max(seeds.length, numbers.length)
  const interim = interimOf(missing.length, over)
  const own = words && !looked && seeds.length > 0 && problems.length === 0 ? words(judged, seeds, metric) : null
  const said =
    over === 0
      ? onlyClaim('nothing to compare: no seed is done in all of its variants')
      : part.unchosen
        ? onlyClaim('no verdict: which way is better is not known')
        : (own ?? judgedParts(judged))
  const silent = looked ? [] : silentText(contrast, over, numbers.length)
  const isSaid = over > 0 && problems.length === 0 && !part.unchosen
  const isNamed = sides && isSaid // else the claim does not say who is compared
  const asked = isNamed ? (at ? [at] : []) : [name]
  const claimed =
    isSaid &&
    family &&
    ('outcomes' in family.test ? looksBy(family.test).claim : claimBy(part, family.test, meaning, problems))
  const ledger = family && claimed ? familyVerdict(family.standing, claimed, judgement) : undefined
  const stands = family && ledger ? familyText(ledger, family.standing, exploratory, looked ? null : interim) : []
  const more = [...(said.more ?? []), ...(isSaid ? part.at : [])]
  const plan = [...planText(exploratory, interim), ...silent]
  const floors = over === 0 ? [] : training
  const parts: Parts = { asked, ...said, ledger: stands, floors, more, plan, notes }
  const short = isSaid && contrast.short?.(judgement.claim, part.chosen)
  return {
    ...{ name, variants, numbers, missing, problems, notes, meaning, ...judgement, interim, parts },
    ...(ledger && { ledger }),
    ...(say && { say }),
    ...(short && { short }),
    sentence: sentenceOf(parts),
  }
}

/** How many of the seeds that are done have no number, where the question says why. */
function silentText({ silent }: Contrast, seeds: number, numbers: number): string[] {
  const count = seeds - numbers
  if (!silent || count === 0) return []
  return [`${count} of ${plural(seeds, 'seed')} ${count === 1 ? 'is' : 'are'} left out, ${silent}`]
}
