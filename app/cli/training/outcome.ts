import { MixlabError } from '../../../engine/errors.ts'
import { plural } from '../../../engine/study/statistics/index.ts'
import { EXIT, type Terminal } from '../command.ts'

/** A study that was not trained, or a cell or a whole notebook that failed. */
export interface Failed {
  notebook: string
  study?: string
  cell?: string
  error: string
}

/** The outcomes of the studies of all notebooks. */
export interface Outcome {
  /** Notes a study that was trained, and how many of its runs failed, in words; null for none. */
  ran(notebook: string, study: string, lost: string | null): void
  /** Says what failed, and notes it for the end. */
  failed(what: Failed): void
  /** Says once more what failed, where that was not all; returns the exit code: 3 where only a part failed. Throws where there was nothing to do. */
  conclude(): number
}

/** `several` notebooks are named with what failed in them. As JSON, what failed has a line of its own. */
export function createOutcome(several: boolean, json: boolean, { out, err }: Terminal): Outcome {
  const lines: string[] = []
  let ran = 0
  let lost = 0
  const lineOf = ({ notebook, study, cell, error }: Failed) => {
    const name = study ?? cell
    const own = name === undefined || error.startsWith(name) ? error : `${name}: ${error}`
    return several && !own.startsWith(notebook) ? `${notebook}: ${own}` : own
  }
  return {
    ran(notebook, study, why) {
      ran += 1
      if (why !== null) lines.push(lineOf({ notebook, study, error: why }))
    },
    failed(what) {
      lost += 1
      lines.push(lineOf(what))
      err(`mixlab: ${lineOf(what)}`)
      if (json) out(JSON.stringify(what))
    },
    conclude() {
      if (ran + lost === 0)
        throw new MixlabError('notebook', '', 'no study to train: none of the notebooks defines one')
      if (lines.length === 0) return 0
      if (ran + lost > 1)
        for (const line of ['', `${plural(lines.length, 'failure')}:`, ...lines.map((each) => `  ${each}`)]) err(line)
      return ran > 0 ? EXIT.runsFailed : EXIT.error
    },
  }
}
