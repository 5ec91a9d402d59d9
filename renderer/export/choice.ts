import { foldableOf } from '../../engine/export/foldable.ts'
import { type FormatName, isFormat } from '../../engine/export/formats/known.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { KeptWeights, WhichWeights } from '../../engine/records/store.ts'
import { type ChosenWeights, chosenWeights, isTested, type RequestedWeights } from '../../engine/records/tested.ts'
import { remember, remembered } from '../ui/remembered.ts'

const STORED = 'mixlab.export'

/** What the user took last. */
export function lastChoice(): { format: FormatName; card: boolean } {
  const { format, card } = Object(remembered(STORED)) as { format?: unknown; card?: unknown }
  return { format: isFormat(format) ? format : 'onnx', card: card === true }
}

export function rememberChoice({ format, card }: { format: FormatName; card: boolean }): void {
  remember(STORED, { format, card })
}

/** Why a run cannot be exported now; null where it can. */
export function exportBlocker({ status, hasWeights }: Pick<StoredRunDetails, 'status' | 'hasWeights'>): string | null {
  if (status === 'running') return 'is still training; export its model when it has ended'
  return hasWeights ? null : 'keeps no weights'
}

/** A run, and which weights it keeps. */
interface Keeps {
  run: Pick<StoredRunDetails, 'id' | 'metrics' | 'spec'>
  kept: readonly KeptWeights[]
}

/** The weights that all of some runs have, those of the test first, each in words. What is the same by two names is there once. */
export function weightsOf(runs: readonly Keeps[]): [RequestedWeights, string][] {
  const [first, ...others] = runs
  if (!first || runs.some(({ kept }) => !kept.some(({ which }) => which === 'last'))) return []
  const chosen = (asked: RequestedWeights) => runs.map(({ run, kept }) => chosenWeights(run, kept, asked))
  const shared = first.kept.filter(({ which }) => others.every(({ kept }) => kept.some((each) => each.which === which)))
  const tested = chosen('tested')
  const named = shared
    .map(({ which }) => which)
    .filter((which) => tested.some((each) => each.which !== which))
    .sort((a, b) => rank(a) - rank(b))
  const averaged = runs.every(({ run }) => isAveraged(run.spec))
  return [
    ['tested', wordsOf(tested)] as const,
    ...named.map((which) => [which, wordsOf(chosen(which), which)] as const),
  ].map(([asked, words]) => [asked, averaged ? `${words}, moving average` : words])
}

/** What some weights are called, each of a run; without a name these are the ones that are tested. */
function wordsOf(chosen: readonly ChosenWeights[], name?: WhichWeights): string {
  const [step, ...more] = new Set(chosen.map(({ step }) => step))
  const at = more.length === 0 ? `step ${step}` : 'each at its step'
  if (typeof name === 'number') return at
  const untested = chosen.every(({ which }) => which === 'last') ? 'last' : 'chosen by validation until now'
  return `${name ?? (chosen.every(isTested) ? 'of the test' : untested)}, ${at}`
}

function rank(which: RequestedWeights): number {
  return which === 'last' ? -2 : which === 'best' ? -1 : Number(which)
}

/** Whether the weights that a run keeps are moving averages: those that it was evaluated with. */
function isAveraged(spec: unknown): boolean {
  return (spec as { train?: { ema?: unknown } }).train?.ema !== undefined
}

/** What folding some runs is offered as; null where one of them cannot be folded. */
export function foldOffer(runs: readonly Pick<StoredRunDetails, 'spec'>[]): string | null {
  const offers = runs.map(({ spec }) => {
    const { model = {}, task = {} } = spec as Partial<Parameters<typeof foldableOf>[0]>
    return foldableOf({ model, task })?.offer
  })
  return offers.some((offer) => offer === undefined) ? null : [...new Set(offers)].join('; ') || null
}
