import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MixlabError } from '../../../engine/errors.ts'
import { plural } from '../../../engine/study/statistics/index.ts'
import { tuningName } from '../../../engine/study/tuning/names.ts'
import { openHost } from '../../host.ts'
import { importFolders } from '../../journal/import.ts'
import { journalsIn } from '../../journal/read.ts'
import { tasksOf } from '../../slurm/array.ts'
import { submit, tasksLeft } from '../../slurm/submit.ts'
import { openStore } from '../../store/index.ts'
import { openWorkspace } from '../../workspace/index.ts'
import { type Arguments, EXIT, type Terminal, workspaceOf } from '../command.ts'
import type { PlanEvent } from './comparison.ts'
import { linesOf } from './imported.ts'
import type { Wanted } from './notebook.ts'
import type { NotebookFile } from './notebooks.ts'
import { plansIn } from './plans.ts'

/** Where journals are kept unless a call says so, in the folder of the workspace. */
const JOURNALS = '.mixlab/journals'

/** Options of a call that its tasks have, too. */
const PASSED = ['study', 'only', 'seeds', 'quick', 'card', 'jobs', 'threads', 'data', 'trust']

/**
 * Takes what is in the journals into the store, and submits an array that trains the runs that are missing; nothing while
 * tasks of an earlier one are left. Returns the exit code. Throws MixlabError.
 */
export async function runOnSlurm(
  files: readonly NotebookFile[],
  { study, choice, trusted, backend }: Omit<Wanted, 'againIn'>,
  given: Arguments,
  output: Terminal,
): Promise<number> {
  const { options } = given
  if (options.on !== 'slurm') throw new MixlabError('option', '--on', `'${options.on}', expected slurm`)
  tasksOf(given.rest, 1) // says what is wrong with --array before anything else
  const workspace = openWorkspace(workspaceOf(given))
  const journals = options.journal === undefined ? join(workspace.root, JOURNALS) : resolve(String(options.journal))
  const left = tasksLeft(journals)
  const store = openStore(workspace)
  const data = options.data === undefined ? [] : [String(options.data)]
  const host = openHost({ workspace: workspace.root, data, unrestricted: trusted, store })
  try {
    if (existsSync(journals) && journalsIn(journals).length > 0) {
      const imported = importFolders(store, [journals])
      for (const line of [...linesOf(imported), ...imported.refused]) output.err(line)
    }
    if (left > 0) {
      output.err(`${plural(left, 'task')} of an earlier array are left; squeue shows them`)
      return 0
    }
    const plans: PlanEvent[] = []
    for (const { path, text } of files) {
      const found = await plansIn({ notebook: text, name: path, trusted, study, choice }, host, output)
      if (found.interrupted) return EXIT.interrupted
      plans.push(...found.plans)
      for (const line of found.failed) output.err(line)
      if (found.failed.length > 0) return EXIT.error
    }
    const { keys, later } = missingIn(plans)
    if (keys.length === 0) {
      output.err("nothing to train: all runs are in the store; the same command without '--on slurm' compares them")
      return 0
    }
    const call = [process.execPath, resolve(import.meta.dirname, '../../mixlab.js'), 'run']
    const passed = PASSED.flatMap((name) => {
      const value = options[name]
      return value === undefined ? [] : value === true ? [`--${name}`] : [`--${name}`, String(value)]
    })
    const own = ['--workspace', workspace.root, '--journal', journals, '--backend', backend ?? 'simd']
    const words = [...call, ...files.map(({ path }) => path), ...passed, ...own]
    const { job, tasks, folder } = submit(journals, keys, words, given.rest)
    if (options.json) output.out(JSON.stringify({ job, tasks, runs: keys.length, later, folder, journals }))
    else {
      output.out(`job ${job}: ${plural(tasks, 'task')} for ${plural(keys.length, 'run')}; their logs are in ${folder}`)
      if (later > 0) output.out(`${plural(later, 'run')} start from these: call it again once they are done`)
      output.out(`'mixlab import ${journals}' takes what they have done, at any time`)
    }
    return 0
  } finally {
    host.close()
  }
}

/** The keys of the runs that are missing and can be trained, and how many others start from these, or learn from them. */
function missingIn(plans: readonly PlanEvent[]): { keys: string[]; later: number } {
  const isMissing = ({ runs }: PlanEvent) => runs.some(({ done }) => !done)
  // what is planned of a study before its values are chosen is not what will be trained
  const chosen = plans.filter(({ study }) => !plans.some((each) => each.study === tuningName(study) && isMissing(each)))
  const runs = new Map(
    chosen.flatMap((plan) => plan.runs.flatMap((run) => (run.done ? [] : [[run.key, run] as const]))),
  )
  const keys = [...runs.values()].filter(({ from, teacher }) => {
    return ![from, teacher].some((each) => each !== undefined && runs.has(each.key))
  })
  return { keys: keys.map(({ key }) => key), later: runs.size - keys.length }
}
