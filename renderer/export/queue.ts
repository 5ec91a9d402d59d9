import { messageOf } from '../../engine/errors.ts'
import { archiveNameOf, namesOf } from '../../engine/export/archive.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { chosenWeights } from '../../engine/records/tested.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { saveBytes } from '../host/saveBytes.ts'
import { host } from '../host/state.ts'
import { useDialog } from '../ui/dialog.ts'
import { notify } from '../ui/notices.ts'
import { playerScript } from './player.ts'
import { type Export, type ExportChoice, hasEnded, type LeavingRun, useExports } from './state.ts'
import { type Exporter, startExporter } from './worker.ts'

/** Exports that are remembered once they have ended. */
const REMEMBERED = 10

let last = 0
let turn = Promise.resolve()
/** The worker of the export in progress. */
let exporter: Exporter | null = null

/** Exports some runs once those that were asked for before are through. */
export function exportRuns(
  runs: readonly Pick<StoredRun, 'id' | 'study' | 'variant' | 'seed'>[],
  choice: ExportChoice,
): Promise<void> {
  const names = namesOf(runs)
  const leaving = runs.map(({ id }, i): LeavingRun => {
    return { id, name: names[i] as string, progress: null, written: null, error: null }
  })
  const id = ++last
  const asked: Export = { id, choice, runs: leaving, phase: 'waiting', file: null }
  useExports.setState(({ exports }) => {
    const ended = exports.filter(hasEnded).slice(0, REMEMBERED)
    return { exports: [asked, ...exports.filter((each) => !hasEnded(each) || ended.includes(each))] }
  })
  turn = turn.then(() => perform(id, archiveNameOf(runs)))
  return turn
}

/** Ends an export; nothing of it is left behind. One that is being saved is past that. */
export function cancelExport(id: number): void {
  const phase = exportOf(id)?.phase
  if (phase !== 'waiting' && phase !== 'working') return
  change(id, { phase: 'cancelled' })
  if (phase === 'working') exporter?.end('cancelled')
}

async function perform(id: number, archive: string): Promise<void> {
  const { runs, choice, phase } = exportOf(id) ?? {}
  if (!runs || !choice || phase !== 'waiting') return
  change(id, { phase: 'working' })
  let current = 0
  try {
    const own = startExporter((progress) => changeRun(id, current, { progress }))
    exporter = own
    for (const { id: run } of runs) {
      current = run
      await write(own, id, run, choice)
      if (isCancelled(id)) return
    }
    await save(own, id, archive, choice.card)
  } catch (error) {
    if (isCancelled(id)) return
    change(id, { phase: 'failed' })
    notify({ tone: 'bad', text: `Nothing was exported: ${messageOf(error)}` })
  } finally {
    exporter?.end('the export has ended')
    exporter = null
  }
}

/** Writes the model of one run; why it could not be stands with the run. */
async function write(
  own: Exporter,
  id: number,
  run: number,
  { card: _, which, ...choice }: ExportChoice,
): Promise<void> {
  try {
    const name = exportOf(id)?.runs.find((each) => each.id === run)?.name ?? ''
    const details = await host().showRun(String(run))
    const chosen = chosenWeights(details, await host().listWeights(run), which)
    const weights = await host().readWeights(run, chosen.which)
    const player = choice.format === 'demo' ? await playerScript() : undefined
    const written = await own.write(details, weights, { ...choice, player, chosen, name })
    changeRun(id, run, { written, progress: null })
  } catch (error) {
    changeRun(id, run, { error: messageOf(error), progress: null })
  }
}

/** Gives what was written to the user, and keeps the proofs with the runs once they have it. */
async function save(own: Exporter, id: number, archive: string, card: boolean): Promise<void> {
  const written = (exportOf(id)?.runs ?? []).flatMap(({ id, written }) => (written ? [{ id, written }] : []))
  if (written.length === 0) {
    change(id, { phase: 'failed' })
    say('Nothing was exported.')
    return
  }
  const { name, bytes } = await own.take(archive, card)
  if (isCancelled(id)) return
  change(id, { phase: 'saving' })
  if (!(await saveBytes(name, bytes))) {
    change(id, { phase: 'cancelled' })
    return
  }
  let lost = ''
  try {
    for (const run of written) await host().recordExport(run.id, run.written.record)
  } catch (error) {
    lost = `, but its proof was not kept: ${messageOf(error)}`
  }
  change(id, { phase: 'saved', file: name })
  const missing = (exportOf(id)?.runs.length ?? 0) - written.length
  const without = missing > 0 ? ` without ${plural(missing, 'run')} that could not be written` : ''
  say(`${name} was saved${without}${lost}.`, lost ? 'bad' : 'plain')
}

/** Notifies the user of an error, and of anything else where the panel is closed. */
function say(text: string, tone: 'plain' | 'bad' = 'plain'): void {
  if (tone === 'bad' || useDialog.getState().open !== 'export') notify({ text, tone })
}

const exportOf = (id: number) => useExports.getState().exports.find((each) => each.id === id)
const isCancelled = (id: number) => exportOf(id)?.phase === 'cancelled'

function change(id: number, to: Partial<Export>): void {
  useExports.setState(({ exports }) => ({
    exports: exports.map((each) => (each.id === id ? { ...each, ...to } : each)),
  }))
}

function changeRun(id: number, run: number, to: Partial<LeavingRun>): void {
  const runs = exportOf(id)?.runs.map((each) => (each.id === run ? { ...each, ...to } : each))
  if (runs) change(id, { runs })
}
