import { MixlabError } from '../../../engine/errors.ts'
import type { Known } from '../../../engine/examples/factors.ts'
import type { RunOutcomes } from '../../../engine/records/outcomes/outcomes.ts'
import { unpackOutcomes } from '../../../engine/records/outcomes/pack.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import type { LocalHost } from '../../host.ts'
import type { Arguments, Terminal } from '../command.ts'
import { type OpenCells, withCells } from '../given/cells.ts'
import { readAsked } from '../model/weights.ts'

/** A run and what it came to on its test examples. */
export interface RunWithOutcomes {
  run: StoredRunDetails
  outcomes: RunOutcomes
}

/** Tells what is known of test examples of a run beside what they show. Throws what opening their data throws. */
export type TellKnown = (run: StoredRunDetails, test: string, indices: number[]) => Promise<Known>

/**
 * Does something with the runs that a call names and what they came to on their test examples, evaluated again where it says
 * `--again`. Throws MixlabError `store` for a run that keeps nothing of that.
 */
export async function openOutcomes(
  given: Arguments,
  output: Terminal,
  act: (runs: [RunWithOutcomes, RunWithOutcomes?], known: TellKnown) => Promise<number>,
): Promise<number> {
  return withCells(given, output, async (host, cells) => {
    const [first, second] = given.words
    const read = (word: string) => withOutcomes(word, given.options.again === true, host, cells, output)
    const runs: [RunWithOutcomes, RunWithOutcomes?] = [await read(first ?? '')]
    if (second !== undefined) runs.push(await read(second))
    return act(runs, async (run, test, indices) => (await cells()).knownExamples(run, test, indices))
  })
}

async function withOutcomes(
  word: string,
  again: boolean,
  host: LocalHost,
  cells: OpenCells,
  output: Terminal,
): Promise<RunWithOutcomes> {
  const run = await host.showRun(word)
  const source = `run ${run.id}`
  const kept = await host.readOutcomes(run.id)
  if (!again) {
    if (kept) return { run, outcomes: unpackOutcomes(kept, source) }
    const made = `keeps nothing of its test examples; mixlab examples ${run.id} --again evaluates it and keeps that`
    throw new MixlabError('store', source, run.status === 'done' ? made : `is ${run.status}, and was not tested`)
  }
  const { weights } = await readAsked(run, 'tested', host)
  const found = await (await cells()).outcomesAgain(run, weights)
  const isSame = kept !== null && Buffer.compare(kept, found) === 0
  if (kept) output.err(`${source}: ${isSame ? 'the same as what it keeps' : 'not quite what it keeps, which stays'}`)
  else if (run.status === 'done') {
    await host.keepOutcomes(run.id, found)
    output.err(`${source}: what came of its test examples is kept now`)
  }
  return { run, outcomes: unpackOutcomes(found, source) }
}
