import type { EntryOf, JournalEvent } from './entry.ts'
import type { Journal } from './read.ts'

/** An attempt at a run, as far as a journal has it. */
export interface JournalAttempt extends Omit<EntryOf<'begin'>, 'type'> {
  journal: Journal
  events: { event: JournalEvent; at: number }[]
}

/**
 * The number of an attempt in a journal. Its upper part counts the attempts that were known before, its lower 32 bits are the
 * journal's: two that did not know of each other have different numbers, in the same order everywhere (Lamport 1978).
 */
export function attemptAfter(latest: number, journal: string): number {
  return (Math.floor(latest / 2 ** 32) + 1) * 2 ** 32 + Number.parseInt(journal, 16)
}

/**
 * The attempts at each run by key, in the order of their numbers; the runs in the order in which they were first begun. `say`
 * hears which whole journals have events that follow on none.
 */
export function attemptsIn(
  journals: readonly Journal[],
  say: (line: string) => void = () => {},
): Map<string, JournalAttempt[]> {
  const attempts = journals.flatMap((journal) => attemptsOf(journal, say)).sort((a, b) => a.at - b.at)
  const byKey = Map.groupBy(attempts, ({ run }) => run.key)
  for (const each of byKey.values()) each.sort((a, b) => a.run.attempt - b.run.attempt)
  return byKey
}

function attemptsOf(journal: Journal, say: (line: string) => void): JournalAttempt[] {
  const attempts: JournalAttempt[] = []
  const latest = new Map<string, JournalAttempt>()
  let strays = 0
  for (const entry of journal.entries) {
    if (entry.type === 'begin') {
      const { type: _, ...begin } = entry
      const attempt = { ...begin, journal, events: [] }
      attempts.push(attempt)
      latest.set(entry.run.key, attempt)
    }
    if (entry.type !== 'events') continue
    const attempt = latest.get(entry.key)
    if (attempt?.run.attempt !== entry.attempt || attempt.events.length !== entry.first) strays++
    else for (const event of entry.events) attempt.events.push({ event, at: entry.at })
  }
  if (strays > 0 && journal.lost.length === 0)
    say(`${journal.path}: entries that follow on nothing, left out: ${strays}`)
  return attempts
}
