import type { Cell, NotebookFacts } from '../../engine/notebook/types.ts'
import type { ReportData } from '../../engine/report/index.ts'
import type { Design } from '../../engine/study/source/designs.ts'
import type { Prose } from '../markdown/prose.ts'
import type { RemoteAnalysis } from './calls.ts'
import { type AnalysisWorker, startAnalysis } from './start.ts'

/** For one cell, in ms: what the engine's own bounds let through takes a twentieth, so that only a fault of a parser comes here. */
const MAX_CELL_MS = 10_000

let worker: AnalysisWorker | null = null
/** What the worker reads now. */
let reading: string | null = null
/** Ends the worker if it stays with one text for too long. */
let timer: ReturnType<typeof setTimeout> | undefined
let turn: Promise<unknown> = Promise.resolve()
/** Texts that took too long, and are not read again. */
const refused = new Set<string>()

/** The analysis of cells; a cell that takes too long gets an error, and the others are analysed. */
export async function analyzeCells(cells: Cell[]): Promise<NotebookFacts> {
  for (;;) {
    const before = refused.size
    try {
      return await inTurn((calls) => calls.analyze(cells, [...refused]))
    } catch (error) {
      if (refused.size === before) throw error
    }
  }
}

/** The sizes of the studies that cells define, as far as their text has them; none where that takes too long. */
export async function designsOf(source: string): Promise<Design[]> {
  if (!source.includes('compare') || refused.has(source)) return []
  const [designs = []] = await inTurn((calls) => calls.designs([source])).catch(() => [])
  return designs
}

/** The cell that defines a study, and its text with more seeds, see `withSeeds`; null where none does. */
export async function seedsAdded(
  cells: Cell[],
  study: string,
  more: number,
): Promise<{ cell: string; source: string } | null> {
  const readable = cells.filter(({ source }) => !refused.has(source))
  return inTurn((calls) => calls.withSeeds(readable, study, more))
}

/** A text in Markdown; null where reading it takes too long, or it is more than a page can show. */
export async function proseIn(source: string): Promise<Prose | null> {
  if (refused.has(source)) return null
  return inTurn((calls) => calls.prose(source)).catch(() => null)
}

/** A report as HTML. Throws MixlabError `notebook` where that takes too long. */
export async function reportOf(data: ReportData): Promise<string> {
  return inTurn((calls) => calls.report(data))
}

/** One call at a time, so that it is known what takes so long. Throws MixlabError `notebook` for what takes too long. */
function inTurn<T>(call: (calls: RemoteAnalysis) => Promise<T>): Promise<T> {
  const answer = turn.then(async () => {
    worker ??= startAnalysis({ reading: begin }, forget)
    try {
      return await call(worker.calls)
    } finally {
      clearTimeout(timer)
      reading = null
    }
  })
  turn = answer.catch(() => {})
  return answer
}

function begin(source: string): void {
  reading = source
  clearTimeout(timer)
  timer = setTimeout(giveUp, MAX_CELL_MS)
}

function giveUp(): void {
  if (reading !== null) refused.add(reading)
  worker?.end('this cell takes too long to be analysed')
  forget()
}

function forget(): void {
  clearTimeout(timer)
  worker = null
}
