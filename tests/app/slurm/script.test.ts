import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharesOf, tasksOf } from '../../../app/slurm/array.ts'
import { quoted, scriptOf } from '../../../app/slurm/script.ts'
import { freshFolder } from '../store/samples.ts'

describe('the tasks of an array', () => {
  it.each([
    [['--partition', 'gpu', '--array', '0-2%2'], { indices: [0, 1, 2], text: '0-2%2', others: ['--partition', 'gpu'] }],
    [['--array=3-4', '--mem=2G'], { indices: [3, 4], text: '3-4', others: ['--mem=2G'] }],
    [['-a', '7'], { indices: [7], text: '7', others: [] }],
    [['-a', '1,3,5-7%2'], { indices: [1, 3, 5, 6, 7], text: '1,3,5-7%2', others: [] }],
    [['-a', '0-15:4'], { indices: [0, 4, 8, 12], text: '0-15:4', others: [] }],
    [['-a', '1-3,2'], { indices: [1, 2, 3], text: '1-3,2', others: [] }],
    [[], { indices: [0, 1, 2, 3, 4], text: '0-4', others: [] }],
  ])('%j', (options, tasks) => {
    expect(tasksOf(options, 5)).toEqual(tasks)
  })

  it.each(['1,,2', '4-2', 'all', '0-15:0', '0-3%0', '-3', ''])('cannot be %j', (text) => {
    expect(() => tasksOf([`--array=${text}`], 5)).toThrow(
      `--array: '${text}', expected tasks as sbatch has them: 0-15, 0-15%8, 1,3,5-7, 0-15:4`,
    )
  })

  it.each(['0-9999999', '0-9999,20000', '0-9999999:2'])('are not as many as %j has', (text) => {
    expect(() => tasksOf(['-a', text], 5)).toThrow(`--array: '${text}', expected at most 10000 tasks`)
  })

  it('are at most 100 where nobody says how many', () => {
    expect(tasksOf([], 500).text).toBe('0-99')
  })

  it('have every so many key, each key once', () => {
    const shares = sharesOf(['a', 'b', 'c', 'd', 'e'], [3, 4])
    expect([...shares]).toEqual([
      [3, ['a', 'c', 'e']],
      [4, ['b', 'd']],
    ])
  })
})

describe('the batch script', () => {
  /** Runs the script of a task whose worker ends with a code, where Slurm says this of the job; returns what was called. */
  function called(code: number, job: string, requeue = 0) {
    const folder = join(freshFolder(), "it's a folder")
    mkdirSync(folder)
    const log = join(folder, 'log')
    const program = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/bash\necho ${name} "$@" >> ${quoted(log)}\n${text}\n`, { mode: 0o755 })
    program('worker', `exit ${code}`)
    program('scontrol', `[ $1 = show ] && echo '${job}' || exit ${requeue}`)
    program('sbatch', '')
    const array = '0-3%2'
    const script = scriptOf({
      name: 'mixlab-1',
      folder,
      call: [join(folder, 'worker')],
      options: ['--mem', '2G'],
      array,
    })
    writeFileSync(join(folder, 'job.sh'), script)
    const env = { PATH: `${folder}:${process.env.PATH}`, SLURM_ARRAY_JOB_ID: '12', SLURM_ARRAY_TASK_ID: '3' }
    let status = 0
    try {
      execFileSync('bash', [join(folder, 'job.sh')], { env, stdio: 'ignore' })
    } catch (error) {
      status = (error as { status: number }).status
    }
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    return { script, status, lines: lines.map((line) => line.replaceAll(folder, 'F')) }
  }
  const shown = 'scontrol show job -o 12_3'

  it('has the options of the user, and the signal before the end', () => {
    const { script, lines, status } = called(0, '')
    expect(script).toContain('#SBATCH --mem 2G\n#SBATCH --array=0-3%2\n')
    expect(script).toContain('--signal=B:USR1@60')
    expect([status, lines]).toEqual([0, ['worker --runs F/3.keys']])
  })

  it.each([
    ['ends by itself', 3, 'JobState=RUNNING', []],
    ['is near the end of its time', 75, 'JobState=RUNNING PreemptTime=None', [shown, 'scontrol requeue 12_3']],
    [
      'was preempted by a cancellation',
      75,
      'JobState=COMPLETING PreemptTime=2026-11-27T23:49:50',
      [shown, 'scontrol requeue 12_3'],
    ],
    ['was preempted by a requeue of Slurm', 75, 'JobState=COMPLETING Restarts=1', [shown]],
    ['was cancelled by the user', 75, 'JobState=COMPLETING PreemptTime=None', [shown]],
  ])('of a job that %s', (_, code, job, calls) => {
    const { status, lines } = called(code, job)
    expect([status, lines]).toEqual([code, ['worker --runs F/3.keys', ...calls]])
  })

  const batch = { name: 'mixlab-1', folder: '/f', call: ['worker'], options: [], array: '0' }

  it.each([{ folder: '/a\ntouch b' }, { call: ['worker', 'a\rb.ts'] }, { options: ['--comment', 'x\ntouch b\n#'] }])(
    'has no line of somebody else: %j',
    (given) => {
      expect(() => scriptOf({ ...batch, ...given })).toThrow(/^'.*': has a line break or another control character/)
    },
  )

  it('gives its log the name of its folder, whatever Slurm would read in that', () => {
    expect(scriptOf({ ...batch, folder: '/a%j%%b' })).toContain('--output=/a%%j%%%%b/%a.log\n')
  })

  it('submits the task again where it cannot be requeued', () => {
    const { lines } = called(75, 'JobState=RUNNING', 1)
    expect(lines.slice(2)).toEqual(['scontrol requeue 12_3', 'sbatch --array=3 F/job.sh'])
  })
})
