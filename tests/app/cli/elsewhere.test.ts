import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { resultsIn } from '../store/results.ts'
import { freshFolder, mixlab, sharedFolder, trainIn, writeNotebook } from './recorder.ts'

describe('mixlab run --journal', () => {
  /** A workspace in which the notebook was trained into the store, and what that said. */
  const here = sharedFolder()
  let local: Awaited<ReturnType<typeof mixlab>>
  beforeAll(async () => {
    local = await trainIn(here)
  })

  it('trains without the store; imported, it has the runs that are trained into it, to the bit', async () => {
    const [folder, there] = [freshFolder(), freshFolder()]
    const journal = join(folder, 'journals')
    const remote = await mixlab(['run', writeNotebook(folder), '--workspace', folder, '--journal', journal])
    expect(remote.out).toEqual(local.out)
    expect(existsSync(join(folder, '.mixlab/mixlab.db'))).toBe(false)
    const words = ['import', journal, '--workspace', there]
    expect((await mixlab(words)).out).toEqual(['1 journal: 4 runs taken, 4 of them done; 0 known already'])
    expect(resultsIn(there)).toEqual(resultsIn(here))
    expect((await mixlab(words)).out).toEqual(['1 journal: 0 runs taken, 0 of them done; 4 known already'])
    const again = await mixlab(['run', writeNotebook(there), '--workspace', there])
    expect([again.out, again.err.at(-1)]).toEqual([local.out, 'nothing to train: 4 of 4 runs are in the store'])
  })

  it('trains the runs whose keys are in a file, and shows no comparison of these', async () => {
    const folder = freshFolder()
    const journal = join(folder, 'journals')
    const notebook = writeNotebook(folder)
    const [one, other] = resultsIn(here).map(({ key }) => key)
    const file = join(folder, 'keys')
    writeFileSync(file, `${one}\n${other}\n`)
    const call = ['run', notebook, '--workspace', folder, '--journal', journal, '--runs', file]
    expect((await mixlab(call)).out).toEqual(['tiny: 2 runs trained'])
    expect((await mixlab(call)).out).toEqual(['tiny: 0 runs trained'])
    writeFileSync(file, 'the second one')
    const wrong = await mixlab(call)
    expect([wrong.code, wrong.err[0]]).toEqual([
      1,
      `mixlab: --runs: ${file} has 'the second one', expected keys of runs`,
    ])
  })

  it('is not for what changes runs of the store', async () => {
    const folder = freshFolder()
    const call = ['run', writeNotebook(folder), '--workspace', folder, '--journal', folder, '--again', 'all']
    expect((await mixlab(call)).err[0]).toMatch('--again: not together with --journal')
  })
})

/** A folder with what stands for the commands of Slurm: sbatch trains the tasks one after the other, at once. */
function fakeSlurm(queue = ''): string {
  const folder = freshFolder()
  const program = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  program('squeue', `echo '${queue}'`)
  program(
    'sbatch',
    `script="\${@: -1}"; range=$(grep -oP '(?<=--array=)\\d+-\\d+' "$script" | head -1)
for i in $(seq \${range%-*} \${range#*-}); do
  SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$i bash "$script" > "$(dirname "$script")/$i.log" 2>&1
done
echo 7`,
  )
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  return folder
}

describe('mixlab run --on slurm', () => {
  it('submits an array whose tasks train what is missing; called again, it takes what they have done', async () => {
    fakeSlurm()
    const folder = freshFolder()
    const call = ['run', writeNotebook(folder), '--workspace', folder, '--threads', '1']
    await mixlab([...call, '--only', 'plain'])
    const submitted = await mixlab([...call, '--on', 'slurm', '--json', '--', '--array', '0-1', '--mem', '1G'])
    const { job, tasks, runs, folder: batch } = JSON.parse(submitted.out[0] ?? '')
    expect({ job, tasks, runs }).toEqual({ job: '7', tasks: 2, runs: 2 })
    for (const log of ['0.log', '1.log'])
      expect(readFileSync(join(batch, log), 'utf8')).toContain('tiny: 1 run trained\n')
    const again = await mixlab([...call, '--on', 'slurm'])
    expect(again.err).toEqual([
      '2 journals: 2 runs taken, 2 of them done; 0 known already',
      "nothing to train: all runs are in the store; the same command without '--on slurm' compares them",
    ])
    expect((await mixlab(call)).err.at(-1)).toBe('nothing to train: 4 of 4 runs are in the store')
  })

  it('submits nothing while tasks of an earlier array are left', async () => {
    fakeSlurm('7_0\n7_1')
    const folder = freshFolder()
    const { code, out, err } = await mixlab(['run', writeNotebook(folder), '--workspace', folder, '--on', 'slurm'])
    expect([code, out, err]).toEqual([0, [], ['2 tasks of an earlier array are left; squeue shows them']])
  })

  it.each([
    [['--on', 'pbs'], "mixlab: --on: 'pbs', expected slurm"],
    [
      ['--on', 'slurm', '--', '--array', '1,a'],
      "mixlab: --array: '1,a', expected tasks as sbatch has them: 0-15, 0-15%8, 1,3,5-7, 0-15:4",
    ],
    [['--on', 'slurm', '--again', 'all'], 'mixlab: --again: not together with --on'],
    [['--on', 'slurm'], "mixlab: squeue: is not here; call this where Slurm's commands are, or train with --journal"],
  ])('%j', async (words, message) => {
    const folder = freshFolder()
    const empty = join(folder, 'bin')
    mkdirSync(empty)
    vi.stubEnv('PATH', empty)
    const { code, err } = await mixlab(['run', writeNotebook(folder), '--workspace', folder, ...words])
    expect([code, err[0]]).toEqual([1, message])
  })
})
