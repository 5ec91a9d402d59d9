import { type MetricMeaning, meaningIn } from '../../records/meaning.ts'
import type { AskedQuestion } from '../../records/question.ts'
import { judge, type SeedNumber } from '../statistics/judge.ts'
import { newestDone, valueIn } from '../statistics/paired.ts'
import { soundness } from '../statistics/sound.ts'
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
  problems: string[]
  notes: string[]
  sentence: string
}

/** What the runs of a study answer to one of its questions. */
export interface Answer {
  question: AskedQuestion
  title: string
  findings: Finding[]
  /** Why it is not answered as planned, e.g. that one before it is open; null where it is. */
  exploratory: string | null
  /** All of it in words. */
  sentence: string
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
    const findings = parts.map((part, i): Finding => {
      const { contrast, numbers, missing, problems, notes } = part
      const unit = contrastMeaning(contrast, meaning)
      const judgement = judge(numbers, own[i] as (typeof own)[number], unit, problems)
      const text =
        judgement.difference === null
          ? ['nothing to compare: no seed is done in all of its variants']
          : judgedText({
              ...judgement,
              meaning: { ...meaning, ...unit },
              problems,
              seeds: numbers.length,
              say: contrast.say,
            })
      const sentence = `${contrast.name}: ${[...text, ...missingText(missing.length, numbers.length), ...notes].join('; ')}`
      return { name: contrast.name, numbers, missing, problems, notes, ...judgement, sentence }
    })
    const exploratory = other ?? late
    const said = findings.map(({ sentence }) => sentence).join('. ')
    return {
      question,
      title,
      findings,
      exploratory,
      sentence: exploratory ? `${said}; exploratory: ${exploratory}` : said,
    }
  })
}

function kindOf({ ask }: AskedQuestion) {
  const kind = QUESTIONS[ask]
  if (!kind) throw new Error(`a question of an unknown kind, '${ask}'`)
  return kind
}

/** Which way the numbers of a contrast are better, and in which unit. */
function contrastMeaning({ say, oriented = !say, unitless }: Contrast, { better, unit }: MetricMeaning) {
  return { better: oriented ? better : undefined, unit: unitless ? undefined : unit }
}

/** The numbers of a contrast by seed, and whether the runs that they are of can be compared. */
function numbersOf(contrast: Contrast, { runs, metric, which = 'last', seeds, design, notebook }: VerdictsInput) {
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
