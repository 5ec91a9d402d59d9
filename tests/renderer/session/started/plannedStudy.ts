import type { StartedCell } from '../../../../engine/host.ts'
import { analyze } from '../../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../../engine/notebook/parse.ts'
import type { StudyEvent } from '../../../../engine/records/run.ts'
import { sampleRun } from '../../../app/store/samples.ts'
import { designOf } from '../../../designs.ts'

/** A notebook with a study `s` in the cell `study`. */
export const TEXT =
  '// %% block\nexport const block = 1\n\n// %% study\nexport const study = block + 1\n\n// %% after\n1\n'
/** That of the one run of the study. */
export const { key } = sampleRun()

export const planned: Extract<StudyEvent, { type: 'plan' }> = {
  ...{ type: 'plan', study: 's', metric: 'loss', variants: ['gmlp'] },
  design: designOf('s', [{ variant: 'gmlp', seed: 0, key }]),
  runs: [{ key, study: 's', variant: 'gmlp', seed: 0, spec: {}, code: '', done: null, resumesAt: null }],
}

export const fingerprint = analyze(parseNotebook(TEXT)).cells.find(({ id }) => id === 'study')?.fingerprint ?? ''

/** The cell of the study as it is kept while it trains. */
export const startedCell = (changes: Partial<StartedCell> = {}): StartedCell => ({
  ...{ notebook: 'n.ts', cell: 'study', source: 'export const study = block + 1', fingerprint },
  ...{ plans: { s: [key] }, backend: null, atOnce: null, at: 1 },
  ...changes,
})
