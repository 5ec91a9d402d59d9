import { availableParallelism } from 'node:os'
import { MixlabError, suggest } from '../../../engine/errors.ts'
import type { StudyChoice } from '../../cells/calls.ts'
import { openCells } from '../../cells/cells.ts'
import type { LocalHost } from '../../host.ts'
import { machineWith } from '../../machine.ts'
import type { Terminal } from '../command.ts'
import type { PlanEvent } from './comparison.ts'

/** The notebook whose studies are planned, and what of them. */
export interface PlansWanted {
  notebook: string
  name: string
  trusted: boolean
  /** The one study that is planned; null for all. */
  study: string | null
  choice?: Pick<StudyChoice, 'only' | 'seeds' | 'quick'>
}

/**
 * The plans of the studies of a notebook, whose cells are evaluated for that, and what failed, in words. Nothing is trained.
 * `interrupted`: it was stopped while data were read. Throws MixlabError.
 */
export async function plansIn(
  { notebook, name, trusted, study, choice }: PlansWanted,
  host: LocalHost,
  { err, redraw, signal, end }: Terminal,
): Promise<{ plans: PlanEvent[]; failed: string[]; interrupted: boolean }> {
  const threads = availableParallelism()
  const start = { notebook, backend: 'simd', cardName: undefined, threads, places: 1, trusted }
  const cells = await openCells(start, { host, name, print: err, redraw, stop: signal, end: end() })
  try {
    const { studies, failed } = await cells.studies()
    const names = studies.map((each) => each.name)
    if (study !== null && !names.includes(study)) {
      throw new MixlabError('option', '--study', `unknown study '${study}'${suggest(study, names)}`)
    }
    if (studies.length + failed.length === 0) {
      throw new MixlabError('notebook', name, 'defines no study; make one with compare()')
    }
    const plans: PlanEvent[] = []
    let interrupted = false
    const wanted = { ...choice, planOnly: true, move: false, machine: machineWith(threads) }
    for (const [number, each] of studies.entries()) {
      if (interrupted || (study !== null && each.name !== study)) continue
      for await (const event of cells.train(number, wanted)) {
        if (event.type === 'plan') plans.push(event)
        if (event.type === 'warning') err(event.message)
        if (event.type === 'end') interrupted ||= event.interrupted
      }
    }
    return { plans, failed: failed.map(({ cell, message }) => `${cell}: ${message}`), interrupted }
  } finally {
    cells.close()
  }
}
