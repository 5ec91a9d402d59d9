import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { fileErrorCode } from '../workspace/file-error.ts'
import { ensureFolder } from '../workspace/folder.ts'
import { sharesOf, tasksOf } from './array.ts'
import { scriptOf } from './script.ts'

/** An array that was submitted. */
export interface Submitted {
  job: string
  tasks: number
  /** Where each task writes its log, as `<index>.log`. */
  folder: string
}

/** The folder of batches among the journals. */
const BATCHES = 'slurm'

/** The name of the jobs that train into a folder. */
export const jobName = (journals: string): string =>
  `mixlab-${createHash('sha256').update(journals).digest('hex').slice(0, 8)}`

/** How many tasks that train into a folder wait or run. Throws MixlabError `backend` where Slurm does not answer. */
export function tasksLeft(journals: string): number {
  const words = ['--noheader', '--array', '--name', jobName(journals), '--user', userInfo().username, '--format', '%i']
  return slurm('squeue', words)
    .split('\n')
    .filter((line) => line.trim() !== '').length
}

/**
 * Submits one array that trains the runs with such keys by a call of the command line, with options of sbatch. Throws
 * MixlabError `option` for an array of another form, and `backend` where Slurm refuses it.
 */
export function submit(
  journals: string,
  keys: readonly string[],
  call: string[],
  options: readonly string[],
): Submitted {
  const { indices, text, others } = tasksOf(options, keys.length)
  const folder = join(journals, BATCHES, new Date().toISOString().replace(/[:.]/g, '-'))
  ensureFolder(folder)
  for (const [index, share] of sharesOf(keys, indices))
    writeAtomic(join(folder, `${index}.keys`), `${share.join('\n')}\n`)
  const script = join(folder, 'job.sh')
  writeAtomic(script, scriptOf({ name: jobName(journals), folder, call, options: others, array: text }))
  const job = slurm('sbatch', ['--parsable', script]).trim().split(';')[0] ?? ''
  return { job, tasks: indices.length, folder }
}

function slurm(command: string, words: string[]): string {
  try {
    return execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') {
      throw new MixlabError(
        'backend',
        command,
        "is not here; call this where Slurm's commands are, or train with --journal",
      )
    }
    const { stderr } = error as { stderr?: string }
    throw new MixlabError('backend', command, stderr?.trim() || String(error))
  }
}
