// `npm run experiments -- [--update] [--workspace DIR] [name ...]`: trains the ready notebooks in full, goes on after one
// that fails, and compares what comes out with what they say, or writes that: the results beside a notebook, its cell
// `expected`, and docs/papers.md. What was trained is kept, so that the same command goes on where it was ended; `--fresh`
// trains again. `--pilot` trains the pilot runs alone, from which a plan is made: it shows what they come to on validation,
// and nothing of the test; where some fail it says which, what the others come to, and ends with exit code 3. `--quick`
// tries them all. `--outdated` trains nothing: it lists those whose results were trained with other numerics than today's;
// `--papers` trains nothing: it measures the floors of the data that results do not have, and writes results, cells and
// docs/papers.md anew.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import type { Results, StudyResult } from '../../engine/claims/index.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import { EXIT, type Terminal } from '../cli/command.ts'
import { terminal } from '../cli/terminal/terminal.ts'
import { openHost } from '../host.ts'
import { studiesIn } from '../studies.ts'
import { claimIn } from './claims.ts'
import { expectedNumerics, withExpected } from './expected.ts'
import { besideFloors } from './floors.ts'
import { chosen, fileOf, makeWorkspace, readyNotebooks } from './notebooks.ts'
import { PAPERS_FILE, papersText, readResults, storedResults } from './papers.ts'
import { type PilotReport, pilotReport, pilotTrainings } from './pilot.ts'
import { Interrupted, resultsOf, train } from './train.ts'

/** Where what was trained is kept. */
const KEPT = resolve(import.meta.dirname, '../../.experiments')

const OPTIONS = {
  update: { type: 'boolean' },
  quick: { type: 'boolean' },
  pilot: { type: 'boolean' },
  outdated: { type: 'boolean' },
  papers: { type: 'boolean' },
  fresh: { type: 'boolean' },
  workspace: { type: 'string' },
} as const

/** Returns the exit code: 0 where all notebooks say what comes out, now that it may have been written. */
export async function experiments(argv: string[], output: Terminal, run: typeof train = train): Promise<number> {
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
  const names = chosen(positionals)
  if (values.outdated) return outdated(names, output) ? 0 : EXIT.error
  const code = values.papers ? 0 : await all(names, { ...values, run }, output)
  if (values.papers) await writeAnew(names, output)
  if (values.papers || values.update) writeFileSync(PAPERS_FILE, papersText(readResults(readyNotebooks())))
  return code
}

interface How {
  update?: boolean | undefined
  quick?: boolean | undefined
  pilot?: boolean | undefined
  fresh?: boolean | undefined
  workspace?: string | undefined
  run: typeof train
}

/** Trains some notebooks, one after the other; tries them on all cores at once, for a try is of few steps. Returns the exit code. */
async function all(names: readonly string[], how: How, output: Terminal): Promise<number> {
  const workspace = how.fresh
    ? mkdtempSync(join(tmpdir(), 'mixlab-experiments-'))
    : how.workspace
      ? resolve(how.workspace)
      : KEPT
  const wrong: string[] = []
  let code: number = EXIT.runsFailed
  const waiting = [...names]
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const state = await one(name, how, join(workspace, how.quick ? 'quick' : '', name), output)
      output.out(`${name}: ${state}`)
      if (DONE.includes(state)) continue
      wrong.push(name)
      if (state !== PILOT_FAILED) code = EXIT.error
    }
  }
  try {
    const places = Array.from({ length: how.quick ? availableParallelism() : 1 }, work)
    for (const ended of await Promise.allSettled(places)) if (ended.status === 'rejected') throw ended.reason
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    return EXIT.interrupted
  } finally {
    if (how.fresh) rmSync(workspace, { recursive: true, force: true })
  }
  if (wrong.length > 0) output.err(`${wrong.length} of ${names.length} are not as expected: ${wrong.join(', ')}`)
  return wrong.length === 0 ? 0 : code
}

const PILOT_DONE = 'pilot runs are done'
/** The others tell what they can. */
const PILOT_FAILED = 'some pilot runs failed'
const DONE = ['as expected', 'written', 'runs', PILOT_DONE]

/**
 * Trains a notebook in a workspace of its own, since what comes out says which other notebook a run is taken from: study by
 * study, so that results are written as they come. Returns what became of it, in words.
 */
async function one(
  name: string,
  { update, quick, pilot, run }: How,
  workspace: string,
  output: Terminal,
): Promise<string> {
  try {
    const path = fileOf(name)
    if (quick) {
      await run(path, { workspace, quick }, output)
      return 'runs'
    }
    if (pilot) {
      const { lines, isWhole } = await pilotRun(path, workspace, run, output)
      for (const line of lines) output.out(line)
      return isWhole ? PILOT_DONE : PILOT_FAILED
    }
    const trained: StudyResult[] = []
    let state = 'as expected'
    const names = (await studiesIn(readFileSync(path, 'utf8'), () => {})).map((study) => study.name)
    for (const study of names) {
      trained.push(...(await run(path, { workspace, study }, output)))
      if (!update && trained.length < names.length) continue
      const text = readFileSync(path, 'utf8') // now: it may have been edited while its studies trained
      const results = await resultsOf(text, trained, workspace)
      const before = storedResults(name)
      const expected = withExpected(text, results)
      if (expected === text && (before === null || isSame(results, before))) continue
      state = update ? 'written' : 'not as expected'
      if (update) write(name, expected, results)
      else for (const each of results.studies) output.out(`${each.study}: ${JSON.stringify(each.rows)}`)
    }
    return state
  } catch (error) {
    if (error instanceof Interrupted) throw error
    return `failed: ${messageOf(error)}`
  }
}

/** Trains the pilot runs of a claim, and returns what they tell of its plan. */
async function pilotRun(path: string, workspace: string, run: typeof train, output: Terminal): Promise<PilotReport> {
  makeWorkspace(workspace)
  const host = openHost({ workspace })
  try {
    const claim = await claimIn(readFileSync(path, 'utf8'), host)
    if (!claim) throw new MixlabError('notebook', path, 'makes no claim, of which there would be a pilot')
    for (const of of pilotTrainings(claim)) await run(path, { workspace, ...of, someFail: true }, output)
    return await pilotReport(claim, host)
  } finally {
    host.close()
  }
}

function write(name: string, text: string, results: Results): void {
  writeFileSync(fileOf(name), text)
  writeFileSync(fileOf(name, 'json'), `${JSON.stringify(results, null, 2)}\n`)
}

/** Writes results and cells anew, beside the floors of their data: those are measured where results do not have them. */
async function writeAnew(names: readonly string[], output: Terminal): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'mixlab-papers-'))
  makeWorkspace(workspace)
  const host = openHost({ workspace })
  try {
    for (const { name, results } of readResults(names)) {
      const text = readFileSync(fileOf(name), 'utf8')
      const claim = results.claim ? await claimIn(text, host) : null
      const beside = claim ? await besideFloors(results, claim) : results
      write(name, withExpected(text, beside), beside)
      output.err(name)
    }
  } finally {
    host.close()
    rmSync(workspace, { recursive: true, force: true })
  }
}

/** Whether results are the same, whatever they took. */
function isSame(a: Results, b: Results): boolean {
  const [one, other] = [a, b].map(({ seconds: _, threads: __, version: ___, ...rest }) =>
    JSON.parse(JSON.stringify(rest)),
  )
  return isDeepStrictEqual(one, other)
}

/** Prints which of the notebooks are to be trained again. Returns whether none is. */
function outdated(names: readonly string[], output: Terminal): boolean {
  const old = names.flatMap((name) => {
    const numerics = storedResults(name)?.numerics ?? expectedNumerics(readFileSync(fileOf(name), 'utf8'))
    return numerics === NUMERICS ? [] : [`${name}: ${numerics === null ? 'no results' : `numerics ${numerics}`}`]
  })
  for (const line of old) output.out(line)
  output.out(`${old.length} of ${names.length} to be trained again with numerics ${NUMERICS}`)
  return old.length === 0
}

if (import.meta.main) {
  try {
    process.exitCode = await experiments(process.argv.slice(2), terminal())
  } catch (error) {
    console.error(`experiments: ${messageOf(error)}`)
    process.exitCode = EXIT.error
  }
}
