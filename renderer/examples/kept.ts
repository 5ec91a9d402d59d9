import { messageOf } from '../../engine/errors.ts'
import type { Outcomes } from '../../engine/records/outcomes/outcomes.ts'
import { unpackOutcomes } from '../../engine/records/outcomes/pack.ts'
import { host } from '../host/state.ts'

/** What came of each test example of a run, by test; or, where there is none of it, or it is damaged, why. */
export type Kept = { outcomes: Record<string, Outcomes> } | { outcomes: null; why: string }

const NEVER = 'Of this run it is not kept what came of each test example, as of runs of earlier versions.'

/** Reads what a run keeps of its test examples. */
export async function readKept(run: number): Promise<Kept> {
  try {
    const packed = await host().readOutcomes(run)
    return packed ? { outcomes: unpackOutcomes(packed, `run ${run}`) } : { outcomes: null, why: NEVER }
  } catch (error) {
    return { outcomes: null, why: messageOf(error) }
  }
}
