import type { Readout } from '../../readouts/readout.ts'
import type { PlannedReadout } from '../../records/readout.ts'
import { READOUT } from '../../records/splits.ts'
import type { Study } from '../compare.ts'
import { definitionCode } from '../design/definitionCode.ts'
import { keyOfSpec } from '../key.ts'

/** A read-out of a study, and how the store knows it. */
export interface StudyReadout extends PlannedReadout {
  readout: Readout
}

/** The name of the metric that a read-out gives. */
export const metricOfReadout = ({ name }: Pick<Readout, 'name'>): string => `${READOUT}/${name}`

/** The metric by which a study compares its variants, where it is that of a read-out; else null. */
export function comparedReadout({ spec }: Study): string | null {
  return spec.readouts?.map(metricOfReadout).find((metric) => metric === spec.metric) ?? null
}

/**
 * What is read off the runs of a study, which have such keys, when they are done. What is read of runs beside others is of
 * these others, too: with another run in the study it is read anew. Throws MixlabError `option` where the code of two of them
 * cannot be told apart.
 */
export async function readoutsAtEnd(study: Study, keys: readonly string[]): Promise<StudyReadout[]> {
  const found: StudyReadout[] = []
  for (const readout of study.spec.readouts ?? []) {
    if (readout.when !== 'end') continue
    const code = await codeOfReadout(readout, study)
    const own = typeof code === 'string' ? keyOfSpec({ readout: code, meaning: unnamed(readout) }) : code.digest
    const digest = readout.together ? keyOfSpec({ readout: own, runs: [...new Set(keys)].sort() }) : own
    found.push({ readout, metric: metricOfReadout(readout), digest })
  }
  return found
}

/** What a read-out computes, and what that means, without the words for it. */
export function codeOfReadout(readout: Readout, study: Study) {
  const says = { meaning: unnamed(readout) }
  return definitionCode(readout, { study, path: `${study.name}.readouts`, what: 'readout', says })
}

function unnamed({ meaning: { words: _, ...meaning } }: Readout): object {
  return meaning
}
