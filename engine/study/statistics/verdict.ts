import type { VariantDesign } from '../../records/design.ts'
import { type MetricMeaning, meaningIn } from '../../records/meaning.ts'
import { splitOf } from '../../records/splits.ts'
import { sourceNotebookText } from '../sourceNotebook.ts'
import { meanOf } from '../summary.ts'
import { bca } from './bca.ts'
import { effect } from './effect.ts'
import { type Test, testFamily } from './family.ts'
import { pairsOf } from './paired.ts'
import { differencesOf } from './sameRecipe.ts'
import { fewestSeeds, seedsFor } from './seeds.ts'
import type { Claim, ComparedRun, SeedPair, Verdict, VerdictsInput } from './types.ts'
import { sentenceOf } from './words.ts'

/**
 * What the runs of a study show: for each variant, in the order given, how it compares to the baseline over the seeds that
 * both have. Takes some milliseconds per variant. docs/statistics.md says how, and what it assumes.
 */
export function verdicts(input: VerdictsInput): Verdict[] {
  const { metric } = input
  const meaning = meaningIn(input.runs, metric)
  const direction = meaning.better === 'lower' ? -1 : 1
  const designs = new Map(input.design?.variants.map((each) => [each.variant, each]))
  const family = [...new Set([...input.variants, ...designs.keys()])]
  const compared = family
    .filter((variant) => variant !== input.baseline)
    .map((variant) => {
      const found = pairsOf(variant, input)
      const sides = [designs.get(variant), designs.get(input.baseline)] as const
      return { variant, ...found, ...checked(found.pairs, input, sides), instead: insteadOf(...sides) }
    })
  // what cannot be compared is no comparison
  const tested = compared.filter(({ problems }) => problems.length === 0)
  const tests = testFamily(tested.map(({ pairs }) => differences(pairs)))
  const [none] = testFamily([[]])
  const part = family.length > new Set([...input.variants, input.baseline]).size
  const partly = part ? [`corrected for all ${tested.length} comparisons of the study`] : []
  const wanted = compared.filter(({ variant }) => input.variants.includes(variant))
  return wanted.map(({ variant, pairs, missing, broken, problems, notes, instead }) => {
    const test = tests[tested.findIndex((each) => each.variant === variant)] ?? (none as Test)
    const all = differences(pairs)
    const sound = pairs.length > 0 && problems.length === 0
    const rounded = all.map((value, i) => roundedSign(value, pairs[i] as SeedPair))
    const verdict = {
      variant,
      baseline: input.baseline,
      metric,
      split: splitOf(metric),
      meaning,
      claim: problems.length > 0 ? 'open' : claimOf(test, all, meaning.better && direction),
      pairs,
      difference: all.length > 0 ? meanOf(all) : null,
      interval: bca(all, meanOf),
      p: sound ? test.p : null,
      adjusted: sound ? test.adjusted : null,
      effect: effect(all),
      wins: rounded.filter((sign) => sign === direction).length,
      ties: rounded.filter((sign) => sign === 0).length,
      losses: rounded.filter((sign) => sign === -direction).length,
      missing,
      instead,
      family: tested.length,
      exploratory: unplanned(input, meaning),
      problems,
      notes: [
        ...notes,
        ...partly,
        ...broken.map((run) => `${metric} of ${run.variant}, seed ${run.seed}, is not a number`),
      ],
      moreSeeds: problems.length > 0 ? null : moreSeeds(all, test),
    }
    return { ...verdict, sentence: sentenceOf(verdict) }
  })
}

/** Why a comparison is not the one that was planned; null where it is. */
function unplanned({ design, metric, baseline, exploratory }: VerdictsInput, meaning: MetricMeaning): string | null {
  if (exploratory) return 'chosen after looking'
  if (meaning.exploratory) return `${metric} reads the test, and was added when runs were over`
  const planned = design?.variants[0]?.variant ?? baseline
  if (baseline !== planned) return `the study was planned with ${planned} as its baseline`
  if (design && metric !== design.metric) return `the study was planned to compare by ${design.metric}`
  return null
}

/** Characters of a value in a sentence. */
const MOST_SHOWN = 40

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
  return [
    ...(start ? [`starting ${startText(start.value)} instead of ${startText(start.other)}`] : []),
    ...(rest.length > 0
      ? [
          `at ${rest.map(({ name, value, other }) => `${name} ${shortened(value)} instead of ${shortened(other)}`).join(' and ')}`,
        ]
      : []),
  ]
}

/** A value of a setting in a sentence: of lists of options, such as groups of parameters, the beginning. */
function shortened(value: unknown): string {
  const text = String(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

const startText = (from: unknown) => (from === 'none' ? 'from scratch' : `from ${from}`)

function differences(pairs: readonly SeedPair[]): number[] {
  return pairs.map(({ difference }) => difference)
}

/** What makes pairs unsound, and what is to be known of them; each once. */
function checked(
  pairs: readonly SeedPair[],
  { runs, metric, notebook }: VerdictsInput,
  sides: Sides,
): { problems: string[]; notes: string[] } {
  const intended = new Set(sides.flatMap((side) => side?.intended ?? []))
  const known = new Map(runs.map((run) => [run.id, run]))
  const found = pairs.map((pair) => pair.runs.map((id) => known.get(id) as ComparedRun) as [ComparedRun, ComparedRun])
  const problems = found.flatMap(([a, b]) => [
    ...(a.spec && b.spec ? differencesOf(a.spec, b.spec, metric, intended) : []),
    ...otherReadout(a, b, metric),
  ])
  const notes = found.flatMap(([a, b]) => (a.backend === b.backend ? [] : [`backend ${a.backend} and ${b.backend}`]))
  const surrogates = [...new Set(found.flat().flatMap(surrogateText))]
  const taken = sourceNotebookText([...new Set(found.flat())], notebook)
  return { problems: [...new Set(problems)], notes: [...new Set(notes), ...surrogates, ...(taken ? [taken] : [])] }
}

/** That the value of one run was read off by other code than that of the other. */
function otherReadout(a: ComparedRun, b: ComparedRun, metric: string): string[] {
  const [own, other] = [a, b].map(({ metrics }) => metrics[metric]?.meaning?.readout)
  return own === other ? [] : [`the code of ${metric}`]
}

/** That a run was trained by a gradient that is meant to differ from the derivative. */
function surrogateText({ variant, spec }: ComparedRun): string[] {
  const { surrogates } = (spec as { model?: { surrogates?: string } } | undefined)?.model ?? {}
  return surrogates ? [`${variant} has a surrogate gradient (${surrogates})`] : []
}

/** `wanted` is the sign of what is better, if any. */
function claimOf(test: Test, all: readonly number[], wanted: number | undefined): Claim {
  if (test.shown) return wanted === undefined ? 'different' : Math.sign(meanOf(all)) === wanted ? 'better' : 'worse'
  return test.tooFew ? 'too few' : 'open'
}

function moreSeeds(all: readonly number[], { shown, level }: Test): number | null {
  if (shown) return 0
  const size = all.length > 2 && all.every((value) => value === 0) ? 0 : effect(all)
  const needed = size === null ? fewestSeeds(level) : seedsFor(Math.abs(size), level, all.length)
  return needed === null ? null : Math.max(1, needed - all.length)
}

/** The sign of a difference, 0 where it is rounding. */
function roundedSign(difference: number, { value, baseline }: SeedPair): number {
  return Math.abs(difference) <= 1e-12 * Math.max(Math.abs(value), Math.abs(baseline)) ? 0 : Math.sign(difference)
}
