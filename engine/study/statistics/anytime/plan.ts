import { MixlabError } from '../../../errors.ts'
import { plural } from '../seeds.ts'
import { ENOUGH, evidence, fewestLooks, ratio } from './evidence.ts'

/** How a study is looked at: after every seed, in their order, up to a last one. */
export interface AnytimeSeeds {
  /** The last seed. */
  upTo: number
}

/** Whether a value is `{ upTo }` and nothing more, a whole number up to `most`. */
export function isUpTo(value: unknown, most: number): value is AnytimeSeeds {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'upTo') return false
  const { upTo } = value as AnytimeSeeds
  return Number.isInteger(upTo) && upTo >= 1 && upTo <= most
}

/** Whether seeds are given as a last one, up to which a study is looked at. */
export function isAnytime(seeds: number | number[] | AnytimeSeeds | undefined): seeds is AnytimeSeeds {
  return typeof seeds === 'object' && !Array.isArray(seeds)
}

/** The seeds of a plan with looks. */
export function seedsUpTo({ upTo }: AnytimeSeeds): number[] {
  return Array.from({ length: upTo }, (_, i) => i + 1)
}

/** Throws MixlabError `option` for a plan that can decide nothing. */
export function checkSeedsUpTo({ upTo }: AnytimeSeeds, path: string): void {
  const needed = fewestLooks()
  if (upTo >= needed) return
  const most = `${plural(upTo, 'seed')} cannot decide anything: where all agree the evidence is ${ratio(evidence(upTo, 0))}`
  throw new MixlabError('option', path, `${most}, and ${ENOUGH} to 1 decides; at least ${needed}`)
}

/** What a plan with looks can show in `comparisons`, of a study that was planned together with others, if any; in words. */
export function looksText(upTo: number, comparisons: number, studies = 1): string {
  if (comparisons === 0) return 'one variant: there is nothing to compare it with'
  const one = fewestLooks(ENOUGH * comparisons * studies)
  const alone = comparisons > 1 ? `, one of ${comparisons} comparisons alone with seed ${one}` : ''
  const all = fewestLooks(ENOUGH * studies)
  return `looked at after every seed, up to ${upTo}: decided with seed ${all} at the earliest${alone}`
}
