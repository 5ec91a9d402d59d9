import { BACKENDS } from '../../../engine/backends/types.ts'
import { MixlabError, suggest } from '../../../engine/errors.ts'
import { backendsOf } from '../../../engine/records/backends.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { trainedOnOtherBackend } from '../../../engine/study/backends/otherBackend.ts'
import { plural } from '../../../engine/study/statistics/index.ts'
import type { NamedRun, StudyNames } from '../../cells/calls.ts'
import type { LocalHost } from '../../host.ts'
import type { PlanEvent } from './comparison.ts'

/** What `--again` may name beside variants. */
const WORDS = ['all', 'failed', ...BACKENDS]

/** The words of `--again`, in the notebooks of a call. */
export interface Again {
  /** Those that mean something for such studies. Throws MixlabError `option` for others, unless there are `several` notebooks. */
  wordsIn(studies: readonly StudyNames[]): string[]
  /** Throws MixlabError `option` for a word that no study has a variant of. */
  check(): void
}

export function createAgain(given: unknown, several: boolean): Again {
  const words = given === undefined ? [] : String(given).split(',')
  const known = new Set<string>()
  const check = () => {
    const all = [...known, ...WORDS]
    const word = words.find((each) => !all.includes(each))
    if (word === undefined) return
    throw new MixlabError('option', '--again', `'${word}', allowed are ${all.join(', ')}${suggest(word, all)}`)
  }
  return {
    check,
    wordsIn(studies) {
      const variants = studies.flatMap((study) => study.variants)
      for (const variant of variants) known.add(variant)
      if (!several) check()
      return words.filter((word) => WORDS.includes(word) || variants.includes(word))
    },
  }
}

/**
 * Archives those attempts at planned runs that some words mean, so that they are trained again; returns how many. A run has
 * the names of the variants that it is planned for, whatever the store calls it.
 */
export async function archiveAgain(
  planned: readonly NamedRun[],
  attempts: readonly StoredRun[],
  words: string[],
  host: LocalHost,
): Promise<number> {
  const variants = new Set(planned.map(({ variant }) => variant))
  const means = (run: StoredRun, word: string) =>
    variants.has(word)
      ? planned.some(({ key, variant }) => key === run.key && variant === word)
      : word === 'all' ||
        (word === 'failed' ? run.status === 'failed' : run.status === 'done' && backendsOf(run.backend).includes(word))
  const wanted = attempts.filter((run) => words.some((word) => means(run, word)))
  if (wanted.length > 0) await host.trainAgain(wanted.map(({ id }) => id))
  return wanted.length
}

/** What was archived to be trained again, in words. */
export function againLine(study: string, count: number): string {
  return count === 0
    ? `${study}: nothing to train again`
    : `${study}: ${plural(count, 'run')} archived to be trained again`
}

/** Says which runs of a plan are taken from another backend than `backend`. */
export function elsewhereLines({ study, runs }: PlanEvent, backend: string): string[] {
  const found = trainedOnOtherBackend(
    runs.map(({ done }) => ({ status: done ? ('done' as const) : ('waiting' as const), backend: done?.backend ?? '' })),
    backend,
  )
  if (!found) return []
  const them = found.runs.length === 1 ? 'it' : 'them'
  const words = new Set(found.backends.flatMap(backendsOf).filter((name) => name !== backend))
  return [`${study}: ${found.text}; --again ${[...words].join(',')} trains ${them} on ${backend}`]
}
