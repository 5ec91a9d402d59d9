import { type MetricMeaning, meaningIn } from '../../records/meaning.ts'
import type { AskedQuestion } from '../../records/question.ts'
import type { Test } from '../statistics/family.ts'
import { judge, type SeedNumber } from '../statistics/judge.ts'
import { newestDone, valueIn } from '../statistics/paired.ts'
import { type Soundness, soundness } from '../statistics/sound.ts'
import type { ComparedRun, Judgement, VerdictsInput } from '../statistics/types.ts'
import { unplanned } from '../statistics/verdict.ts'
import { judgedText, missingText } from '../statistics/words.ts'
import { askedOf } from './asked.ts'
import { QUESTIONS } from './index.ts'
import { inOrder } from './order.ts'
import type { Contrast } from './types.ts'

/** What the runs answer to one part of a question. */
export interface Finding extends Judgement {
  /** What is asked, e.g. `block mixer instead of gmlp`. */
  name: string
  /** By seed, in the unit of the metric unless the question has its own. */
  numbers: SeedNumber[]
  /** Seeds without a number: a run is missing, failed, or says nothing. */
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
      parts: kind.contrasts(question, asked).map((each) => numbersOf(each, input)),
    }
  })
  const other = unplanned(input, meaning)
  const tests = inOrder(
    all.map(({ parts }) =>
      parts.map(({ numbers, problems }) => (problems.length > 0 ? [] : numbers.map((each) => each.number))),
    ),
    design.correction,
  )
  return all.map(({ question, title, parts }, place) => {
    const { tests: own, exploratory: late } = tests[place] as (typeof tests)[number]
    const exploratory = other ?? late
    const findings = parts.map((part, i) => findingOf(part, own[i] as Test, meaning, exploratory))
    return { question, title, findings, exploratory }
  })
}

function kindOf({ ask }: AskedQuestion) {
  const kind = QUESTIONS[ask]
  if (!kind) throw new Error(`a question of an unknown kind, '${ask}'`)
  return kind
}

/** What the numbers of a contrast show by their test, with the direction and the unit that they have. */
function findingOf(
  { contrast, ...part }: ContrastNumbers,
  test: Test,
  metric: MetricMeaning,
  exploratory: string | null,
): Finding {
  const { name, say, oriented = !say, unitless } = contrast
  const { numbers, missing, problems, notes } = part
  const better = oriented ? metric.better : undefined
  const meaning = unitless ? { better } : { ...metric, better }
  const judgement = judge(numbers, test, meaning, problems)
  const text =
    judgement.difference === null
      ? ['nothing to compare: no seed is done in all of its variants']
      : judgedText({ ...judgement, meaning, problems, seeds: numbers.length, say })
  const chosen = exploratory ? [`exploratory: ${exploratory}`] : []
  const all = [...text, ...chosen, ...missingText(missing.length, numbers.length), ...notes]
  return { name, ...part, meaning, ...judgement, sentence: `${name}: ${all.join('; ')}` }
}

/** The numbers of a contrast by seed, and whether the runs that they are of can be compared. */
interface ContrastNumbers extends Soundness {
  contrast: Contrast
  numbers: SeedNumber[]
  missing: number[]
}

function numbersOf(
  contrast: Contrast,
  { runs, metric, which = 'last', seeds, design, notebook }: VerdictsInput,
): ContrastNumbers {
  const done = new Map(contrast.variants.map((variant) => [variant, newestDone(runs, variant)]))
  const all = [...new Set([...(seeds ?? []), ...runs.map((run) => run.seed)])].sort((a, b) => a - b)
  const numbers: SeedNumber[] = []
  const used: [ComparedRun, ComparedRun][] = []
  for (const seed of all) {
    const own = contrast.variants.map((variant) => done.get(variant)?.get(seed))
    const values = new Map(
      own.flatMap((run) => (run ? [[run.variant, valueIn(run, metric, which) ?? Number.NaN] as const] : [])),
    )
    if (own.some((run) => !run || !Number.isFinite(values.get(run.variant)))) continue
    const number = contrast.of((variant) => values.get(variant) as number)
    if (number === null || !Number.isFinite(number)) continue
    const [first, ...others] = own as ComparedRun[]
    numbers.push({ seed, number, size: Math.max(...[...values.values()].map(Math.abs)) })
    for (const run of others) used.push([first as ComparedRun, run])
  }
  const intended = new Set(design?.variants.flatMap((each) => (done.has(each.variant) ? each.intended : [])))
  const found = new Set(numbers.map(({ seed }) => seed))
  return {
    contrast,
    numbers,
    missing: all.filter((seed) => !found.has(seed)),
    ...soundness(used, metric, intended, notebook),
  }
}
