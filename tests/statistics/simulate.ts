// `npm run simulate [-- WORDS]`: what verdicts and answers claim of simulated studies, how often falsely, with which
// coverage of the intervals of 95% and power. Writes a table; with WORDS only the scenarios whose name has one of them. `--studies N` for fewer.

import { pathToFileURL } from 'node:url'
import { type Key, keyOf, normal } from '../../engine/random.ts'
import type { MetricMeaning } from '../../engine/records/meaning.ts'
import type { MetricSummary, StoredRun } from '../../engine/records/run.ts'
import { levelAt } from '../../engine/study/ledger/comparisons.ts'
import { alikeOf } from '../../engine/study/planned/alike.ts'
import { answers } from '../../engine/study/questions/answers.ts'
import { ask } from '../../engine/study/questions/index.ts'
import { type ComparedRun, verdicts } from '../../engine/study/statistics/index.ts'
import { power, seedsForPower } from '../../engine/study/statistics/power.ts'
import { choose } from '../../engine/study/tuning/choose.ts'
import { placesOf } from '../../engine/study/tuning/kept.ts'
import * as all from './scenarios.ts'

const METRIC = 'test/accuracy'
const MEANING: MetricMeaning = { better: 'higher', unit: 'share', bounds: [0, 1], words: 'accuracy', compared: true }

/** A line of the table: shares of the studies. */
export interface Row {
  scenario: string
  effect: number
  seeds: number
  /** Studies that claim anything false of the sentence's own subject. */
  false: number
  /** Studies that claim a difference, and equality. */
  shown: number
  equal: number
  /** Studies that claim that one fails on more seeds. */
  failures: number
  /** Seeds on which a run is taken for one that did not learn; null for questions. */
  failed: number | null
  /** Intervals that cover what they are about; null where there are none. */
  covered: number | null
  /** Variants that are trained, in the mean, where pilots decide how many. */
  variants?: number
}

let id = 0
function runOf(variant: string, seed: number, value: number | null): ComparedRun {
  id += 1
  const base = { id, variant, seed, backend: 'simd' }
  if (value === null) return { ...base, status: 'failed', error: 'loss is NaN at step 10', metrics: {} }
  return { ...base, status: 'done', metrics: { [METRIC]: { last: value, best: value, meaning: MEANING } } }
}

const named = (variants: readonly string[]) =>
  variants.map((variant) => ({ variant, settings: {}, intended: [] as string[] }))

function pairRow(scenario: all.PairScenario, effect: number, seeds: number, studies: number): Row {
  const { margin, looks, name } = scenario
  const truth = all.truthOf(scenario, effect)
  const count = { false: 0, shown: 0, equal: 0, failures: 0, failed: 0, covered: 0, intervals: 0 }
  const design = {
    metric: METRIC,
    variants: named(['base', 'own']),
    margin,
    floors: { chance: all.CHANCE },
    ...(looks && { anytime: { upTo: seeds } }),
  }
  for (let study = 0; study < studies; study++) {
    const key = keyOf(study, `${name} ${effect}`)
    const runs = Array.from({ length: seeds }, (_, seed) => {
      const [own, base] = all.pairOf(scenario, effect, key, seed)
      return [runOf('base', seed + 1, base), runOf('own', seed + 1, own)]
    }).flat()
    const input = { metric: METRIC, runs, variants: ['base', 'own'], baseline: 'base', design }
    const [verdict] = verdicts(input)
    if (!verdict) continue
    const { claim, interval, failures } = verdict
    count.failed += (failures.seeds - failures.learned) / seeds
    const about = looks ? truth.median : failures.about === 'learned' ? truth.learned : truth.all
    if (claim === 'better' || claim === 'worse') {
      count.shown += 1
      if (claim === 'better' ? about <= 1e-12 : about >= -1e-12) count.false += 1
    }
    if (failures.claim) {
      count.failures += 1
      if (failures.claim === 'less' ? truth.failures >= 0 : truth.failures <= 0) count.false += 1
    }
    if (claim === 'equal') {
      count.equal += 1
      if (margin !== undefined && Math.abs(about) >= margin - 1e-12) count.false += 1
    }
    if (interval && interval.level >= 0.95 - 1e-9) {
      count.intervals += 1
      if (interval.low <= about && about <= interval.high) count.covered += 1
    }
  }
  return rowOf(name, effect, seeds, studies, count)
}

interface Counts {
  false: number
  shown: number
  equal?: number
  failures?: number
  failed?: number
  covered?: number
  intervals?: number
}

function rowOf(scenario: string, effect: number, seeds: number, studies: number, count: Counts): Row {
  const { equal = 0, failures = 0, failed, covered = 0, intervals = 0 } = count
  return {
    ...{ scenario, effect, seeds, false: count.false / studies, shown: count.shown / studies },
    ...{ equal: equal / studies, failures: failures / studies },
    failed: failed === undefined ? null : failed / studies,
    covered: intervals > 0 ? covered / intervals : null,
  }
}

/** A crossing of factors asked one question, of which anything that is shown counts. */
function askedRow(
  name: string,
  effect: number,
  seeds: number,
  studies: number,
  question: ReturnType<typeof ask.slope>,
  cells: readonly { settings: Record<string, string | number>; value: (key: Key, seed: number) => number }[],
): Row {
  const variants = cells.map(({ settings }) => ({
    variant: Object.values(settings).join(' '),
    settings,
    crossed: true as const,
    intended: [],
  }))
  const names = variants.map(({ variant }) => variant)
  const design = { study: 'study', metric: METRIC, variants, questions: [question] }
  const count = { false: 0, shown: 0, covered: 0, intervals: 0 }
  for (let study = 0; study < studies; study++) {
    const key = keyOf(study, name)
    const runs = Array.from({ length: seeds }, (_, seed) =>
      cells.map(({ value }, place) => runOf(names[place] as string, seed + 1, value(key, seed))),
    ).flat()
    const found = answers({ metric: METRIC, runs, variants: names, baseline: names[0] as string, design })
    const findings = found.flatMap((each) => each.findings)
    const isShown = findings.some(({ claim }) => ['better', 'worse', 'different'].includes(claim))
    if (isShown) count.shown += 1
    const isFalse = findings.some(({ claim }) => claim === 'worse' || claim === 'different' || effect === 0)
    if (isShown && isFalse) count.false += 1
    for (const { interval } of findings) {
      if (!interval || effect !== 0) continue
      count.intervals += 1
      if (interval.low <= 0 && 0 <= interval.high) count.covered += 1
    }
  }
  return rowOf(name, effect, seeds, studies, count)
}

function growingRow(scenario: all.GrowingScenario, seeds: number, studies: number): Row {
  const cells = scenario.levels.map((level, place) => ({
    settings: { depth: level },
    value: (key: Key, seed: number) => all.growingOf(scenario, place, key, seed),
  }))
  return askedRow(scenario.name, 0, seeds, studies, ask[scenario.ask]('depth'), cells)
}

function gridRow(scenario: all.GridScenario, seeds: number, studies: number): Row {
  const cells = [0, 1].flatMap((block) =>
    Array.from({ length: scenario.rates }, (_, rate) => ({
      settings: { block: `b${block}`, lr: rate + 1 },
      value: (key: Key, seed: number) => all.gridOf(scenario, block, rate, key, seed),
    })),
  )
  return askedRow(scenario.name, scenario.effect, seeds, studies, ask.best('block', { over: 'lr' }), cells)
}

/** Two blocks at what pilots leave of a grid of rates; covered is the true difference of the best rates. */
function tunedRow(scenario: all.TunedScenario, seeds: number, studies: number): Row {
  const { name, rates, pilots, effect } = scenario
  const blocks = ['b0', 'b1']
  const tried = Array.from({ length: rates }, (_, rate) => ({
    name: `lr=${rate + 1}`,
    values: { lr: rate + 1 },
    parts: {},
  }))
  const pilotSeeds = Array.from({ length: pilots }, (_, i) => 1001 + i)
  const count = { false: 0, shown: 0, covered: 0, intervals: 0 }
  let trained = 0
  for (let study = 0; study < studies; study++) {
    const key = keyOf(study, name)
    const value = (block: number, rate: number, seed: number) => all.gridOf(scenario, block, rate, key, seed)
    const planned = blocks.flatMap((block, b) =>
      tried.flatMap(({ name: at }, rate) =>
        pilotSeeds.map((seed) => ({ ...{ variant: `${block}, ${at}`, seed, key: `${b} ${rate} ${seed}` }, b, rate })),
      ),
    )
    const done = planned.map((run) => {
      const own = value(run.b, run.rate, run.seed)
      return { ...run, metrics: { [METRIC]: { last: own, best: own, meaning: MEANING } } } as unknown as StoredRun
    })
    const tuned = choose(
      { study: 'study', variants: blocks, metric: METRIC, runs: planned, done },
      { kind: 'tuned', tried, seeds: pilotSeeds },
    )
    const cells = tuned.variants
      .map(placesOf)
      .flatMap((kept, b) =>
        kept.map((rate) => ({ variant: kept.length > 1 ? `b${b}, lr=${rate + 1}` : `b${b}`, b, rate })),
      )
    trained += cells.length / studies
    const names = cells.map(({ variant }) => variant)
    const runs = Array.from({ length: seeds }, (_, i) =>
      cells.map(({ variant, b, rate }) => runOf(variant, i + 1, value(b, rate, i + 1))),
    ).flat()
    const questions = names.length > 2 ? [ask.pairs()] : undefined
    const design = { study: 'study', metric: METRIC, variants: named(names), tuned, ...(questions && { questions }) }
    const input = { metric: METRIC, runs, variants: names, baseline: names[0] as string, design }
    const [found] = [...verdicts(input), ...answers(input).flatMap(({ findings }) => findings)]
    if (!found) continue
    if (found.claim === 'better' || found.claim === 'worse') {
      count.shown += 1
      if (effect === 0 || found.claim === 'worse') count.false += 1
    }
    if (!found.interval) continue
    count.intervals += 1
    const truth = effect * all.SD
    if (found.interval.low <= truth && truth <= found.interval.high) count.covered += 1
  }
  return { ...rowOf(name, effect, seeds, studies, count), variants: trained }
}

/** Plans for a power of 80% from pilots of two variants: false is the share with less than 70%, shown their mean power. */
function plannedRow({ name, pilots, effect }: (typeof all.PLANNED)[number], studies: number): Row {
  const count = { false: 0, shown: 0 }
  let planned = 0
  for (let study = 0; study < studies; study++) {
    const key = keyOf(study, name)
    const found = ['b0', 'b1'].flatMap((model, b) =>
      Array.from({ length: pilots }, (_, seed) => {
        const last = all.LEVEL + all.SD * normal(key, 2 * seed + b)
        return { id: seed, seed, model, ms: 1, metrics: { [METRIC]: { last } as MetricSummary } }
      }),
    )
    const sd = (alikeOf(found, METRIC).upper ?? all.SD) * Math.SQRT2
    const size = effect * all.SD * Math.SQRT2
    const seeds = seedsForPower(size / sd, 0.05) ?? 200
    const realised = power(effect, seeds, 0.05)
    planned += seeds / studies
    count.shown += realised
    if (realised < 0.7) count.false += 1
  }
  return rowOf(name, effect, Math.round(planned), studies, count)
}

/**
 * Workspaces in which any variant is claimed to differ; shown: the one that does is found. By the planned sentence of each
 * study, or by the one of the family, where the one that differs has the seeds that the plan of its study says.
 */
function oneAtATimeRow(scenario: (typeof all.ONE_AT_A_TIME)[number], inFamily: boolean, studies: number): Row {
  const { name, variants, effect } = scenario
  const count = { false: 0, shown: 0 }
  const needed = inFamily && effect > 0 ? (seedsForPower(effect, levelAt(variants)) ?? scenario.seeds) : scenario.seeds
  for (let study = 0; study < studies; study++) {
    const key = keyOf(study, name)
    const claims = Array.from({ length: variants }, (_, variant) => {
      const isLast = variant === variants - 1
      const seeds = isLast ? needed : scenario.seeds
      const runs = Array.from({ length: seeds }, (_, seed) => [
        runOf('base', seed + 1, all.oneOf(999, 0, key, seed)),
        runOf('own', seed + 1, all.oneOf(variant, isLast ? effect : 0, key, seed)),
      ]).flat()
      const [place, level] = [variant + 1, levelAt(variant + 1)]
      const stands = { variant: 'own', family: 1, comparisons: variants, entered: 1, place, level }
      const ledger = [{ ...stands, closedAt: null, before: null }]
      const design = { metric: METRIC, variants: named(['base', 'own']), ledger }
      const [found] = verdicts({ metric: METRIC, runs, variants: ['own'], baseline: 'base', design })
      return inFamily ? found?.ledger?.claim : found?.claim
    })
    const shown = claims.map((claim) => claim === 'better' || claim === 'worse')
    if (effect === 0 ? shown.some(Boolean) : claims.at(-1) === 'better') count.shown += 1
    if (effect === 0 ? shown.some(Boolean) : shown.slice(0, -1).some(Boolean)) count.false += 1
  }
  return rowOf(inFamily ? `${name}, in its family` : name, effect, needed, studies, count)
}

/** All rows of the scenarios whose name has one of some words. */
export function* simulated(words: readonly string[] = [], studies: number = all.STUDIES): Generator<Row> {
  const isWanted = ({ name }: { name: string }) => words.length === 0 || words.some((word) => name.includes(word))
  for (const scenario of all.PAIRS.filter(isWanted)) {
    for (const effect of scenario.effects) {
      for (const seeds of scenario.seeds) yield pairRow(scenario, effect, seeds, studies)
    }
  }
  for (const scenario of all.GROWING.filter(isWanted)) {
    for (const seeds of scenario.seeds) yield growingRow(scenario, seeds, studies)
  }
  for (const scenario of all.GRIDS.filter(isWanted)) {
    for (const seeds of scenario.seeds) yield gridRow(scenario, seeds, studies)
  }
  for (const scenario of all.TUNED.filter(isWanted)) {
    for (const seeds of scenario.seeds) yield tunedRow(scenario, seeds, studies)
  }
  for (const scenario of all.PLANNED.filter(isWanted)) yield plannedRow(scenario, studies)
  for (const scenario of all.ONE_AT_A_TIME.filter(isWanted)) {
    yield oneAtATimeRow(scenario, false, Math.min(studies, 500))
    yield oneAtATimeRow(scenario, true, scenario.effect > 0 ? Math.min(studies, 100) : studies)
  }
}

const percent = (share: number | null) => (share === null ? '' : `${(100 * share).toFixed(1)}`)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2)
  const place = words.indexOf('--studies')
  const studies = place < 0 ? all.STUDIES : Number(words.splice(place, 2)[1])
  console.log(
    '| scenario | effect, sd | seeds | false, % | difference, % | equal, % | failures, % | seeds that failed, % | covered, % |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const row of simulated(words, studies)) {
    const { effect, seeds, shown, equal, failures, failed, covered, variants } = row
    const scenario = variants === undefined ? row.scenario : `${row.scenario} (${variants.toFixed(1)} variants)`
    const shares = [row.false, shown, equal, failures, failed, covered].map(percent)
    console.log(`| ${[scenario, effect, seeds, ...shares].join(' | ')} |`)
  }
}
