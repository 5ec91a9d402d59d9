import { useCallback, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { Standing } from '../../engine/records/design.ts'
import { levelAt } from '../../engine/study/ledger/comparisons.ts'
import { strictest } from '../../engine/study/ledger/familyVerdict.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { fewestSeeds } from '../../engine/study/statistics/signFlip.ts'
import { host } from '../host/state.ts'
import type { StudyView } from '../protocol/study.ts'
import { Button } from '../ui/Button.tsx'
import { notify } from '../ui/notices.ts'

/** A study with where its comparisons stand in the ledger by now, since others may have been entered; `reload` reads it again. */
export function useLedger(study: StudyView): { study: StudyView; reload: () => void } {
  const { design } = study
  const [ledger, setLedger] = useState<Standing[]>()
  const [asked, ask] = useState(0)
  const isKnown = design?.ledger !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again where something was closed
  useEffect(() => {
    if (!design || !isKnown) return
    let current = true
    const { planned: _, ledger: __, ...own } = design
    host()
      .standingOf(own)
      .then(
        (found) => current && setLedger(found),
        () => {}, // what was known when it was trained stays
      )
    return () => {
      current = false
    }
  }, [design, isKnown, asked])
  const known = useMemo(
    () => (design && isKnown && ledger ? { ...study, design: { ...design, ledger } } : study),
    [study, design, isKnown, ledger],
  )
  return { study: known, reload: useCallback(() => ask((count) => count + 1), []) }
}

/** The family of the comparisons of a study, and what closes it. */
export function Family({ study, onClosed }: { study: StudyView; onClosed: () => void }) {
  const standing = strictest(study.design?.ledger)
  const [isAsked, ask] = useState(false)
  if (!standing || standing.family === null) return null
  const { family, comparisons, closedAt } = standing
  const seeds = fewestSeeds(levelAt(comparisons + 1))
  const close = async () => {
    ask(false)
    try {
      await host().closeFamily(family)
      onClosed()
    } catch (error) {
      notify({ tone: 'bad', text: `The family was not closed: ${messageOf(error)}` })
    }
  }
  const text =
    closedAt === null
      ? `Family ${family}: ${plural(comparisons, 'comparison')} of these networks on this data; the next one needs at least ${seeds} seeds`
      : `Family ${family}: ${plural(comparisons, 'comparison')}; closed on ${new Date(closedAt).toISOString().slice(0, 10)}`
  return (
    <p className="muted" data-testid="family">
      {text}{' '}
      {closedAt === null && !isAsked && (
        <Button onClick={() => ask(true)} testId="close-family">
          Close family...
        </Button>
      )}
      {isAsked && (
        <>
          The next comparison begins a new family, and its sentence says so. This cannot be undone.{' '}
          <Button onClick={() => void close()} testId="confirm-close-family">
            Close family {family}
          </Button>{' '}
          <Button onClick={() => ask(false)}>Cancel</Button>
        </>
      )}
    </p>
  )
}
