import type { StoredRun } from '../../engine/study/types.ts'
import { openHost } from '../host.ts'
import { type Command, workspaceOf } from './command.ts'
import { table } from './table.ts'

export const runs: Command = {
  name: 'runs',
  synopsis: '',
  summary: 'list the runs in the store',
  words: [0, 0],
  options: { study: { type: 'string', value: 'S', help: 'only runs of this study' } },
  run: async (given, output) => {
    const host = openHost({ workspace: workspaceOf(given) })
    try {
      const { study } = given.options
      const found = await host.listRuns(study === undefined ? {} : { study: String(study) })
      if (given.options.json) output.out(JSON.stringify(found))
      else if (found.length === 0) output.out(`no runs in ${workspaceOf(given)}`)
      else for (const line of table(HEADER, found.map(cells))) output.out(line)
      return 0
    } finally {
      host.close()
    }
  },
}

const HEADER = ['id', 'study', 'variant', 'seed', 'status', 'step', 'accuracy', 'backend', 'started']

function cells(run: StoredRun): string[] {
  const accuracy = run.metrics['eval/accuracy']?.last
  return [
    String(run.id),
    run.study,
    run.variant,
    String(run.seed),
    run.status,
    run.steps > 0 ? `${run.step}/${run.steps}` : '',
    accuracy === undefined ? '' : accuracy.toFixed(4),
    run.backend,
    new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' '),
  ]
}
