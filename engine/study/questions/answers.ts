import { type MetricMeaning, meaningIn } from '../../records/meaning.ts'
import type { AskedQuestion } from '../../records/question.ts'
import { selectionMetric } from '../../records/splits.ts'
import { flipped, type PValue, type Test } from '../statistics/family.ts'
import { judge, type SeedNumber } from '../statistics/judge.ts'
import { newestDone, valueIn } from '../statistics/paired.ts'
import { plural } from '../statistics/seeds.ts'
import { type Soundness, soundness } from '../statistics/sound.ts'
import { studiesWith, togetherText } from '../statistics/together.ts'
import type { ComparedRun, Judgement, VerdictsInput } from '../statistics/types.ts'
import { unplanned } from '../statistics/verdict.ts'
import { judgedText, missingText } from '../statistics/words.ts'
import { askedOf } from './asked.ts'
import { QUESTIONS } from './index.ts'
import { inOrder, type TestedQuestion } from './order.ts'
import type { Contrast, SeedValues } from './types.ts'

/** What the runs answer to one part of a question. */
export interface Finding extends Judgement {
  /** What is asked, e.g. `block mixer instead of gmlp`. */
  name: string
  /** By seed, in the unit of the metric unless the question has its own. */
  numbers: SeedNumber[]
  /** Seeds of which a run is missing or failed, or has no number. */
  missing: number[]
  /** What a number means: as of the metric, with the direction and the unit of what is asked. */
  meaning: MetricMeaning
  problems: string[]
  notes: string[]
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
  const asked = askedOf('', design.variants)
  const all = design.questions.map((question) => {
    const kind = kindOf(question)
    return {
      question,
      title: kind.title(question),
      parts: kind.contrasts(question, asked).map((each) => numbersOf(each, meaning, input)),
    }
  })
  const other = unplanned(input, meaning)
  const tests = inOrder(
    all.map(({ parts }) => parts.map((part) => testOf(part, meaning))),
    design.correction,
    studiesWith(design),
  )
  const found = all.map(({ question, title, parts }, place): Answer => {
    const { tests: own, exploratory: late } = tests[place] as TestedQuestion
    const exploratory = other ?? late
    const findings = parts.map((part, i) => findingOf(part, own[i] as Test, meaning, exploratory))
    return { question, title, findings, exploratory }
  })
  return found.filter(({ question }) => kindOf(question).isSaid?.(question, found) ?? true)
}

function kindOf({ ask }: AskedQuestion) {
  const kind = QUESTIONS[ask]
  if (!kind) throw new Error(`a question of an unknown kind, '${ask}'`)
  return kind
}

/** The test of a part of a question; p = 1 where its runs cannot be compared, or where there are none. */
function testOf({ contrast, seeds, numbers, problems }: ContrastNumbers, meaning: MetricMeaning): PValue {
  if (problems.length > 0 || seeds.length === 0) return flipped([])
  return contrast.test?.(seeds, meaning) ?? flipped(numbers.map(({ number }) => number))
}

/** What the numbers of a contrast show by their test, with the direction and the unit that they have. */
function findingOf(
  { contrast, seeds, ...part }: ContrastNumbers,
  test: Test,
  metric: MetricMeaning,
  exploratory: string | null,
): Finding {
  const { name, say, oriented = !say, unitless, sized = true, words } = contrast
  const { numbers, missing, problems, notes } = part
  const better = oriented ? metric.better : undefined
  const meaning = unitless ? { better } : { ...metric, better }
  const judgement = {
    ...judge(numbers, test, meaning, problems),
    ...(!sized && { difference: null, interval: null, effect: null, moreSeeds: null }),
  }
  const judged = { ...judgement, meaning, problems, seeds: numbers.length, say }
  const text =
    seeds.length === 0
      ? ['nothing to compare: no seed is done in all of its variants']
      : words && problems.length === 0
        ? words(judged, seeds, metric)
        : judgedText(judged)
  const chosen = exploratory ? [`exploratory: ${exploratory}`] : []
  const all = [...text, ...chosen, ...silentText(contrast, seeds.length, numbers.length)]
  const sentence = `${name}: ${[...all, ...missingText(missing.length, seeds.length), ...notes].join('; ')}`
  return { name, ...part, meaning, ...judgement, sentence }
}

/** How many of the seeds that are done have no number, where the question says why. */
function silentText({ silent }: Contrast, seeds: number, numbers: number): string[] {
  const count = seeds - numbers
  if (!silent || count === 0) return []
  return [`${count} of ${plural(seeds, 'seed')} ${count === 1 ? 'is' : 'are'} left out, ${silent}`]
}

/** The numbers of a contrast by seed, and whether the runs that they are of can be compared. */
interface ContrastNumbers extends Soundness {
  contrast: Contrast
  /** The seeds that are done in all variants. */
  seeds: SeedValues[]
  numbers: SeedNumber[]
  missing: number[]
}

function numbersOf(contrast: Contrast, meaning: MetricMeaning, input: VerdictsInput): ContrastNumbers {
  const { runs, metric, which = 'last', seeds: planned, design, notebook } = input
  const done = new Map(contrast.variants.map((variant) => [variant, newestDone(runs, variant)]))
  const all = [...new Set([...(planned ?? []), ...runs.map((run) => run.seed)])].sort((a, b) => a - b)
  const used: [ComparedRun, ComparedRun][] = []
  const seeds = all.flatMap((seed): SeedValues[] => {
    const own = contrast.variants.map((variant) => done.get(variant)?.get(seed))
    if (own.some((run) => !run || !Number.isFinite(valueIn(run, metric, which)))) return []
    const [first, ...others] = own as ComparedRun[]
    for (const run of others) used.push([first as ComparedRun, run])
    const at = (variant: string) => done.get(variant)?.get(seed) as ComparedRun
    return [
      {
        seed,
        value: (variant) => valueIn(at(variant), metric, which) as number,
        validation: (variant) => valueIn(at(variant), selectionMetric(metric), 'best'),
      },
    ]
  })
  const of = contrast.given?.(seeds, meaning) ?? contrast.of
  const numbers = seeds.flatMap(({ seed, value }): SeedNumber[] => {
    const number = of(value)
    if (number === null || !Number.isFinite(number)) return []
    return [{ seed, number, size: Math.max(...contrast.variants.map((variant) => Math.abs(value(variant)))) }]
  })
  const intended = new Set(design?.variants.flatMap((each) => (done.has(each.variant) ? each.intended : [])))
  const found = new Set(seeds.map(({ seed }) => seed))
  const { problems, notes } = soundness(used, metric, intended, notebook)
  return {
    contrast,
    seeds,
    numbers,
    missing: all.filter((seed) => !found.has(seed)),
    problems,
    notes: [...togetherText(design), ...notes],
  }
}
