import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { interruptedOnOtherBackend } from '../../../engine/study/backends/otherBackend.ts'
import { tuningName } from '../../../engine/study/tuning/names.ts'
import type { CellsStart, FailedNames, RunQueue, StudyChoice, StudyNames } from '../../cells/calls.ts'
import { type Cells, openCells } from '../../cells/cells.ts'
import type { LocalHost } from '../../host.ts'
import { machineWith } from '../../machine.ts'
import type { Arguments, Terminal } from '../command.ts'
import { againLine, archiveAgain } from './again.ts'
import type { Outcome } from './outcome.ts'
import { showStudy } from './study.ts'

/** How the studies of notebooks are trained. */
export interface Wanted extends Pick<CellsStart, 'backend' | 'cardName' | 'threads' | 'places' | 'trusted'> {
  choice: Omit<StudyChoice, 'machine'>
  /** The name of the one study to train; null for all. */
  study: string | null
  /** The words of `--again` that these studies know. Throws MixlabError `option`. */
  againIn(studies: readonly StudyNames[]): string[]
}

/** Shared by all notebooks of one call. */
export interface Shared {
  host: LocalHost
  given: Arguments
  output: Terminal
  /** Ends all at once. */
  end: AbortSignal
  outcome: Outcome
  /** Where runs are trained elsewhere. */
  queue?: RunQueue | undefined
}

/**
 * Trains the studies of a notebook. What fails is noted, and ends nothing but what depends on it. Returns the names of its
 * studies, and whether training was interrupted. Throws what `wanted.againIn` throws.
 */
export async function runNotebook(
  { name, text, named }: { name: string; text: string; named: boolean },
  wanted: Wanted,
  shared: Shared,
): Promise<{ names: string[]; interrupted: boolean }> {
  const { output, end, outcome } = shared
  let again: string[] = []
  const opened = await opening(name, text, wanted, shared, () => again).catch((error: unknown) => {
    if (end.aborted) throw error
    outcome.failed({ notebook: name, error: messageOf(error) })
  })
  if (!opened) return { names: [], interrupted: false }
  const { cells, studies, failed } = opened
  try {
    again = wanted.againIn(studies)
    const asked = failed.filter((cell) => wanted.study === null || cell.studies.includes(wanted.study))
    for (const cell of asked) for (const what of failuresOf(cell)) outcome.failed({ notebook: name, ...what })
    if (studies.length === 0 && failed.length === 0 && wanted.study === null) {
      const none = `${name}: defines no study; make one with compare()`
      if (named) outcome.failed({ notebook: name, error: none })
      else output.err(none)
    }
    const names = [...studies.map((study) => study.name), ...failed.flatMap((cell) => cell.studies)]
    return { names, interrupted: await trainAll(studies, cells, { name, ...wanted }, shared) }
  } finally {
    cells.close()
  }
}

/** Opens the cells of a notebook and evaluates them; `again` gives the words of `--again` once training begins. */
async function opening(
  name: string,
  notebook: string,
  { backend, cardName, threads, places, trusted }: Wanted,
  { host, output, end, queue }: Shared,
  again: () => string[],
): Promise<{ cells: Cells; studies: StudyNames[]; failed: FailedNames[] }> {
  const cells = await openCells(
    { notebook, backend, cardName, threads, places, trusted },
    {
      ...{ host, name, print: output.err, redraw: output.redraw, stop: output.signal, end, queue },
      planned: async (study, runs, attempts) => {
        if (again().length > 0) output.err(againLine(study, await archiveAgain(runs, attempts, again(), host)))
      },
      starting: async (study, attempts, on, move) => {
        const moved = await changeBackendLine(study, attempts, on, move, host)
        if (moved) output.err(moved)
      },
    },
  )
  try {
    return { cells, ...(await cells.studies()) }
  } catch (error) {
    cells.close()
    throw error
  }
}

/** Trains those of the studies that are wanted, one after the other; returns whether that was interrupted. */
async function trainAll(
  studies: StudyNames[],
  cells: Cells,
  { name: notebook, study: wanted, choice, threads, places }: Wanted & { name: string },
  { host, given, output, end, outcome }: Shared,
): Promise<boolean> {
  const machine = machineWith({ simd: threads, webgpu: 1 }[cells.backend as string] ?? places)
  const { backend, findDone } = cells
  const lost = new Set<number>()
  for (const [number, { name, from }] of studies.entries()) {
    const tuning = wanted === tuningName(name)
    if (wanted !== null && name !== wanted && !tuning) continue
    const parent = from.find((other) => lost.has(other))
    try {
      if (parent !== undefined) {
        throw new MixlabError(
          'notebook',
          name,
          `not run, because it starts from '${studies[parent]?.name}', which failed`,
        )
      }
      const around = {
        backend,
        findDone,
        notebook,
        quick: choice.quick === true,
        part: choice.keys !== undefined,
        host,
      }
      const training = cells.train(number, { ...choice, tuning, machine })
      const ran = await showStudy(wanted ?? name, training, around, given, output)
      if (ran.interrupted) return true
      outcome.ran(notebook, name, ran.lost)
    } catch (error) {
      if (end.aborted) throw error
      lost.add(number)
      outcome.failed({ notebook, study: name, error: messageOf(error) })
    }
  }
  return false
}

/** What a cell that failed leaves undone: the studies that its text defines, or else itself. */
function failuresOf({
  cell,
  because,
  message,
  studies,
}: FailedNames): { study?: string; cell: string; error: string }[] {
  if (studies.length === 0) return [{ cell, error: message }]
  const error = because === null ? message : `not run, because its cell depends on '${because}', which failed`
  return studies.map((study) => ({ study, cell, error }))
}

/**
 * Lets those attempts at planned runs that were interrupted on another backend go on on this one, where that is wanted. Returns what was done
 * or could be, in words; null where there are none.
 */
async function changeBackendLine(
  study: string,
  attempts: readonly StoredRun[],
  backend: string,
  wanted: boolean,
  host: LocalHost,
): Promise<string | null> {
  const found = interruptedOnOtherBackend(attempts, backend)
  if (!found) return null
  const { runs, text } = found
  const them = runs.length === 1 ? 'it' : 'them'
  if (!wanted) return `${study}: ${text}; --move lets ${them} continue on ${backend}, marked`
  await host.changeBackend(
    runs.map(({ id }) => id),
    backend,
  )
  return `${study}: ${text} ${runs.length === 1 ? 'continues' : 'continue'} on ${backend}`
}
