import type { VariantDesign } from '../../records/design.ts'
import { type MetricMeaning, meaningIn } from '../../records/meaning.ts'
import { splitOf } from '../../records/splits.ts'
import { trainingText } from '../floors/shortTraining.ts'
import { enteredTogether, familyText, familyVerdict } from '../ledger/familyVerdict.ts'
import { tunedText } from '../tuning/words.ts'
import { soundness } from './comparable.ts'
import {
  hasLearned,
  type LearnedRule,
  learnedRules,
  newestEnded,
  rounded,
  type SeedNumber,
  valueIn,
} from './failures.ts'
import { corrected, flipped, studiesWith, type Test, togetherText } from './family.ts'
import { claimBy, failuresOf, judge, testOf } from './judge.ts'
import type { ComparedRun, Parts, SeedPair, Verdict, VerdictsInput } from './judgement.ts'
import { interimOf, judgedParts, onlyClaim, planText, sentenceOf } from './sentences.ts'
import { gapIn, judgeLooks, type LookedTest, lookFamily, outcomesOf, seedsUpTo, worstOf } from './sequentialTest.ts'

/** The pairs of a paired test: runs of a variant and of the baseline, by seed, and the seeds without a pair. */
export interface Pairs {
  /** The pairs that have two values. */
  pairs: SeedPair[]
  /** The runs of all pairs, those that diverged too. */
  runs: (readonly [ComparedRun, ComparedRun])[]
  numbers: SeedNumber[]
  /** Seeds without a pair. */
  missing: number[]
  /** Whether no value varies over the seeds. */
  counted: boolean
}

/** Pairs the runs of a variant and of the baseline that have the same seed and are over; of several the newest. */
export function pairsOf(variant: string, input: VerdictsInput, rule: LearnedRule, meaning: MetricMeaning): Pairs {
  const { metric, which = 'last', runs, baseline } = input
  const [ours, theirs] = [newestEnded(runs, variant), newestEnded(runs, baseline)]
  const found: Omit<Pairs, 'counted'> = { pairs: [], runs: [], numbers: [], missing: [] }
  for (const seed of seedsIn(input)) {
    const [run, other] = [ours.get(seed), theirs.get(seed)]
    const value = run && valueIn(run, metric, which)
    const base = other && valueIn(other, metric, which)
    if (!run || !other || value === undefined || base === undefined) {
      found.missing.push(seed)
      continue
    }
    const size = Math.max(Math.abs(value), Math.abs(base))
    const difference = rounded(value - base, size)
    const [own, its] = [value, base].map((each) => !hasLearned(each, rule, meaning)) as [boolean, boolean]
    const failed = [...(own ? [variant] : []), ...(its ? [baseline] : [])]
    found.runs.push([run, other])
    found.numbers.push({ seed, number: difference, size, failed, lost: Number(own) - Number(its) })
    if (!Number.isFinite(difference)) continue
    found.pairs.push({ seed, runs: [run.id, other.id], value, baseline: base, difference })
  }
  return {
    ...found,
    counted: isCounted([found.pairs.map(({ value }) => value), found.pairs.map(({ baseline }) => baseline)]),
  }
}

/** The seeds of a study in their order: those that were planned, and those of its runs. */
export function seedsIn({ seeds, design, runs }: VerdictsInput): number[] {
  const planned = design?.planned?.seeds ?? []
  return [...new Set([...(seeds ?? []), ...planned, ...runs.map(({ seed }) => seed)])].sort((a, b) => a - b)
}

/** Whether the values of each variant are the same with all seeds, of which there are several. */
export function isCounted(variants: readonly (readonly number[])[]): boolean {
  return variants.every((values) => values.length > 1 && values.every((value) => value === values[0]))
}

/**
 * What the runs of a study show: for each variant, in the order given, how it compares to the baseline over the seeds that
 * both have; nothing for a study that asks something else (questions/answers.ts). Takes some milliseconds per variant. docs/statistics.md says how, and what it assumes.
 */
export function verdicts(input: VerdictsInput): Verdict[] {
  const { metric, design } = input
  if (design?.questions) return [] // what such a study claims are its answers
  const meaning = meaningIn(input.runs, metric)
  const ruleOf = learnedRules(input, meaning)
  const margin = marginIn(input)
  const designs = new Map(design?.variants.map((each) => [each.variant, each]))
  const family = [...new Set([...input.variants, ...designs.keys()])]
  const compared = family
    .filter((variant) => variant !== input.baseline)
    .map((variant) => {
      const rule = ruleOf([variant, input.baseline])
      const found = pairsOf(variant, input, rule, meaning)
      const sides = [designs.get(variant), designs.get(input.baseline)] as const
      const variants = [variant, input.baseline]
      return {
        variant,
        rule,
        ...found,
        variants,
        margin,
        sided: true,
        ...soundness(found.runs, metric, new Set(sides.flatMap((side) => side?.intended ?? [])), input.notebook),
        instead: insteadOf(...sides),
      }
    })
  // what cannot be compared is no comparison
  const tested = compared.filter(({ problems }) => problems.length === 0)
  const plan = design?.anytime && seedsUpTo(design.anytime)
  const tests = plan ? [] : corrected(tested.map(testOf), studiesWith(design))
  const [none] = corrected([flipped([])])
  const outcomes = plan && tested.map((each) => outcomesOf(each, input.runs, plan, worstOf(meaning)))
  const looks = plan && lookFamily(outcomes ?? [], plan, studiesWith(design))
  const ledger = design?.ledger ?? []
  const inFamily = new Map(
    enteredTogether(
      tested.map(({ variant }) => variant),
      ledger,
    ).flatMap(({ share, missing, variants }) => {
      const places = variants.map((variant) => tested.findIndex((each) => each.variant === variant))
      const none = Array.from({ length: missing }, () => [])
      const own = places.map((place) => tested[place] as (typeof tested)[number])
      const found = plan
        ? lookFamily([...places.map((place) => outcomes?.[place] ?? []), ...none], plan, share)
        : corrected([...own.map(testOf), ...none.map(flipped)], share)
      return variants.map((variant, i) => [variant, found[i] as LookedTest | Test] as const)
    }),
  )
  const part = family.length > new Set([...input.variants, input.baseline]).size
  const partly = part ? [`corrected for all ${tested.length} comparisons of the study`] : []
  const wanted = compared.filter(({ variant }) => input.variants.includes(variant))
  return wanted.map((each) => {
    const { variant, pairs, numbers, missing, problems, instead } = each
    const place = tested.findIndex((own) => own.variant === variant)
    const [looked, over = []] = [looks?.[place], outcomes?.[place]]
    const looksBy = (test: LookedTest) => judgeLooks(over, test, meaning, problems, failuresOf(each))
    const judgement = looked ? looksBy(looked) : judge(each, tests[place] ?? (none as Test), meaning, problems)
    const left = plan ? gapIn(plan, over.length, pairs) : missing
    const exploratory = unplanned(input, meaning)
    const interim = interimOf(left.length, looked ? over.length : numbers.length)
    const notes = [...tunedText(design, [variant, input.baseline]), ...each.notes, ...partly, ...togetherText(design)]
    const nothing = onlyClaim(`nothing to compare: no seed is done in both ${variant} and ${input.baseline}`)
    const seeds = looked ? over.length : numbers.length
    const sides = { own: variant, other: input.baseline }
    const said = numbers.length === 0 ? nothing : judgedParts({ ...judgement, meaning, problems, seeds, sides })
    const before = instead.length > 0 ? [instead.join(', ')] : []
    const standing = ledger.find((own) => own.variant === variant)
    const test = inFamily.get(variant)
    const claimed = test && ('path' in test ? looksBy(test).claim : claimBy(each, test, meaning, problems))
    const known = standing && claimed && numbers.length > 0 ? familyVerdict(standing, claimed, judgement) : undefined
    const stands = standing && known ? familyText(known, standing, exploratory, looked ? null : interim) : []
    const floors = numbers.length === 0 ? [] : trainingText(input, [variant, input.baseline], meaning)
    const plans = planText(exploratory, interim)
    const parts: Parts = { instead: before, ...said, ledger: stands, floors, plan: plans, notes }
    return {
      ...{ variant, baseline: input.baseline, metric, split: splitOf(metric), meaning, pairs, ...judgement },
      ...{ missing: left, instead, family: tested.length, exploratory, interim, problems, notes },
      ...{ parts, sentence: sentenceOf(parts) },
      ...(known && { ledger: known }),
    }
  })
}

/** The margin of the plan, in the unit of the metric that was planned; none for another metric. */
export function marginIn({ design, metric }: Pick<VerdictsInput, 'design' | 'metric'>): number | undefined {
  return design?.metric === metric ? design.margin : undefined
}

/** Why a comparison is not the one that was planned; null where it is. */
export function unplanned(
  { design, metric, baseline, exploratory }: VerdictsInput,
  meaning: MetricMeaning,
): string | null {
  if (exploratory) return 'chosen after looking'
  if (meaning.exploratory) return `${metric} reads the test, and was added when runs were over`
  const { planned } = design ?? {}
  const first = planned?.variants[0] ?? design?.variants[0]?.variant ?? baseline
  const by = planned?.metric ?? design?.metric ?? metric
  const reasons = [
    ...(baseline === first ? [] : [`the study was planned with ${first} as its baseline`]),
    ...(metric === by ? [] : [`the study was planned to compare by ${by}`]),
    ...(planned?.departs ?? []),
  ]
  return reasons.length > 0 ? reasons.join('; ') : null
}

/** Characters of a value in a sentence. */
const MOST_SHOWN = 40
/** Settings in a sentence that only one of two variants has: all of an augmentation, not all of a data set. */
const MOST_NAMED = 3

type Sides = readonly [VariantDesign | undefined, VariantDesign | undefined]

/** In what a variant is meant to differ from the baseline, in words. */
function insteadOf(...[own, baseline]: Sides): string[] {
  if (!own || !baseline) return []
  const names = [...new Set([...Object.keys(own.settings), ...Object.keys(baseline.settings)])]
  const differing = names.flatMap((name) => {
    const [value, other] = [own.settings[name] ?? 'none', baseline.settings[name] ?? 'none']
    return value === other ? [] : [{ name, value, other }]
  })
  const start = differing.find(({ name }) => name === 'from')
  const rest = differing.filter((each) => each !== start)
  const gained = rest.filter(({ other }) => other === 'none')
  const lost = rest.filter(({ value }) => value === 'none').map(({ name, other }) => ({ name, value: other }))
  const changed = rest
    .filter(({ value, other }) => value !== 'none' && other !== 'none')
    .map(({ name, value, other }) => `${name} ${shortened(value)} instead of ${shortened(other)}`)
  return [
    ...(start ? [`starting ${startText(start.value)} instead of ${startText(start.other)}`] : []),
    ...(changed.length > 0 ? [`at ${changed.join(' and ')}`] : []),
    ...named('with', gained),
    ...named('without', lost),
  ]
}

/** What one of two variants has and the other has not, in words: the first, and how many more. */
function named(word: string, settings: readonly { name: string; value: unknown }[]): string[] {
  if (settings.length === 0) return []
  const shown = settings.slice(0, MOST_NAMED).map(({ name, value }) => `${name} ${shortened(value)}`)
  const more = settings.length - shown.length
  return [`${word} ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(' and ')}`]
}

/** A value of a setting in a sentence: of lists of options, such as groups of parameters, the beginning. */
function shortened(value: unknown): string {
  const text = String(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

const startText = (from: unknown) => (from === 'none' ? 'from scratch' : `from ${from}`)
