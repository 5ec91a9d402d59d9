import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LONG } from '../../long.ts'
import { mixlab, NOTEBOOK, writeNotebook } from '../cli/recorder.ts'
import { resultsIn } from '../store/results.ts'
import { freshFolder } from '../store/samples.ts'
import { noCluster, startCluster } from './cluster.ts'

const missing = noCluster()
if (missing) console.log(`the test of an array on a real Slurm is skipped: ${missing}`)

/** Two runs that take some seconds each, or eight. */
const RUNS = LONG ? 8 : 2
const SLOW = NOTEBOOK.replace('steps: 3', 'steps: 600')
  .replace('batch: 8 }', 'batch: 8, checkpointEvery: { steps: 50 } }')
  .replace('seeds: 2', `seeds: ${RUNS / 2}`)

describe.skipIf(missing !== null)('an array on Slurm', () => {
  it('ends in the store of a local run, after a preemption that cancels, and in full one that requeues', async () => {
    const folder = freshFolder()
    const cluster = await startCluster(folder)
    onTestFinished(async () => {
      await cluster.stop()
    })
    vi.stubEnv('SLURM_CONF', cluster.config)
    const [here, there] = [freshFolder(), freshFolder()]
    await mixlab(['run', writeNotebook(here, SLOW), '--workspace', here])
    await expect.poll(() => cluster.call('sinfo', '-h', '-o', '%t')).toMatch('idle')

    const call = ['run', writeNotebook(there, SLOW), '--workspace', there, '--threads', '1']
    const submitted = await mixlab([
      ...call,
      '--on',
      'slurm',
      '--json',
      '--',
      `--array=0-${RUNS - 1}`,
      '--partition=low',
    ])
    const { tasks, journals, folder: batch } = JSON.parse(submitted.out[0] ?? '')
    expect(tasks).toBe(RUNS)
    const kept = () => globSync('*/objects', { cwd: journals }).length
    const restarts = () =>
      cluster
        .call('scontrol', 'show', 'job', '-o')
        .split('\n')
        .filter((line) => /Restarts=[1-9]/.test(line)).length
    const preempt = () => cluster.call('sbatch', '--partition=high', '--ntasks=2', '--output=/dev/null', '--wrap=true')

    await expect.poll(kept).toBeGreaterThan(0)
    preempt()
    await expect.poll(restarts).toBeGreaterThan(0)
    if (LONG) {
      cluster.call('scontrol', 'update', 'PartitionName=low', 'PreemptMode=REQUEUE')
      const [before, again] = [kept(), restarts()]
      await expect.poll(kept).toBeGreaterThan(before)
      preempt()
      await expect.poll(restarts).toBeGreaterThan(again)
    }
    await expect.poll(() => cluster.call('squeue', '-h')).toBe('')

    const logs = globSync('*.log', { cwd: batch })
      .map((name) => readFileSync(join(batch, name), 'utf8'))
      .join('')
    expect(logs).toContain('DUE TO PREEMPTION')
    expect(logs).toContain(': resumes at step ')
    expect(existsSync(join(journals, 'slurm'))).toBe(true)
    expect((await mixlab(['import', journals, '--workspace', there])).out[0]).toMatch(
      `${RUNS} runs taken, ${RUNS} of them done; 0 known`,
    )
    expect(resultsIn(there)).toEqual(resultsIn(here))
  })
})
