import { quoted as inError, MixlabError } from '../../engine/errors.ts'

/** A batch script of Slurm: one array, each task of which trains the runs of one file of keys. */
export interface Batch {
  /** The name by which the jobs are found again. */
  name: string
  /** The folder with a file `<index>.keys` for each task, where the script and what it prints are kept, too. */
  folder: string
  /** What is called by each task, without `--runs`. */
  call: readonly string[]
  /** Options of sbatch that the user has given. */
  options: readonly string[]
  /** The indices of the tasks, and how many of them run at a time at most. */
  array: string
}

/** Seconds before the end of a job at which Slurm says so; a checkpoint takes a few. */
const WARN_SECONDS = 60

/**
 * The text of the script. Where a job is to end before its runs are done, its worker saves a checkpoint and ends with code
 * 75, and the task goes back into the queue: by Slurm itself where it preempts by requeueing, else from here, also where it
 * preempts by cancelling, but not where the user cancels. Throws MixlabError `option` for a word with a line break: a comment
 * for Slurm would end there, and a command begin.
 */
export function scriptOf({ name, folder, call, options, array }: Batch): string {
  for (const word of [folder, ...call, ...options]) {
    if (!/\p{Cc}/u.test(word)) continue
    throw new MixlabError(
      'option',
      inError(word),
      'has a line break or another control character; a batch script cannot have one',
    )
  }
  return `#!/bin/bash
#SBATCH --job-name=${name}
#SBATCH --requeue --open-mode=append --signal=B:USR1@${WARN_SECONDS}
#SBATCH --output=${quoted(`${folder.replaceAll('%', '%%')}/%a.log`)}
${options.length > 0 ? `#SBATCH ${options.map(quoted).join(' ')}\n` : ''}#SBATCH --array=${array}

${call.map(quoted).join(' ')} --runs ${quoted(folder)}/$SLURM_ARRAY_TASK_ID.keys &
worker=$!
trap 'kill -USR1 $worker 2>/dev/null' USR1 TERM
while kill -0 $worker 2>/dev/null; do wait $worker; done
wait $worker
code=$?
[ $code = 75 ] || exit $code

task=\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
case $(scontrol show job -o $task) in
  *JobState=RUNNING* | *PreemptTime=[0-9]*)
    scontrol requeue $task || sbatch --array=$SLURM_ARRAY_TASK_ID ${quoted(`${folder}/job.sh`)}
    ;;
esac
exit $code
`
}

/** A word as the shell reads it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
