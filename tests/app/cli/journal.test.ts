import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EXIT } from '../../../app/cli/command.ts'
import { sample } from '../../long.ts'
import { storeAt } from '../store/samples.ts'
import { freshFolder, mixlab, sharedFolder, writeNotebook } from './recorder.ts'

/** The runs of a workspace, with the bytes of their weights. */
function runsIn(workspace: string) {
  const store = storeAt(workspace)
  onTestFinished(() => store.close())
  const runs = store.listRuns().map(({ id, key, status, step, notebook, metrics }) => {
    const weights = store.listWeights(id).map(({ which }) => store.readWeights(id, which))
    const timeless = Object.entries(metrics).filter(([, { meaning }]) => !/time|pace/.test(meaning?.words ?? ''))
    return { id, key, status, step, notebook, metrics: Object.fromEntries(timeless), weights }
  })
  return runs.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ id: _, ...run }) => run)
}

/** Trains until the journal has a checkpoint, and sends a signal. */
async function stopped(signal: 'SIGTERM' | 'SIGUSR1', words: string[], journal: string) {
  const script = resolve(import.meta.dirname, '../../../app/mixlab.js')
  const child = spawn(process.execPath, [script, ...words], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const kept = () => {
    const [worker] = existsSync(journal) ? readdirSync(journal) : []
    return worker !== undefined && existsSync(join(journal, worker, 'objects'))
  }
  await expect.poll(kept, { interval: 20 }).toBe(true)
  child.kill(signal)
  const [code] = await once(child, 'close')
  return code
}

describe('mixlab run --journal', () => {
  /** A workspace in which the notebook was trained into the store, and what that said. */
  const here = sharedFolder()
  let local: Awaited<ReturnType<typeof mixlab>>
  beforeAll(async () => {
    local = await mixlab(['run', writeNotebook(here), '--workspace', here])
  })

  it('trains without the store; imported, it has the runs that are trained into it, to the bit', async () => {
    const [folder, there] = [freshFolder(), freshFolder()]
    const journal = join(folder, 'journals')
    const remote = await mixlab(['run', writeNotebook(folder), '--workspace', folder, '--journal', journal])
    expect(remote.out).toEqual(local.out)
    expect(existsSync(join(folder, '.mixlab/mixlab.db'))).toBe(false)
    const words = ['import', journal, '--workspace', there]
    expect((await mixlab(words)).out).toEqual(['1 journal: 4 runs taken, 4 of them done; 0 known already'])
    expect(runsIn(there)).toEqual(runsIn(here))
    expect((await mixlab(words)).out).toEqual(['1 journal: 0 runs taken, 0 of them done; 4 known already'])
    const again = await mixlab(['run', writeNotebook(there), '--workspace', there])
    expect([again.out, again.err.at(-1)]).toEqual([local.out, 'nothing to train: 4 of 4 runs are in the store'])
  })

  it('trains the runs whose keys are in a file, and shows no comparison of these', async () => {
    const folder = freshFolder()
    const journal = join(folder, 'journals')
    const notebook = writeNotebook(folder)
    const [one, other] = runsIn(here).map(({ key }) => key)
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

  it.each(sample(['SIGUSR1', 'SIGTERM'] as const, 0, 2))(
    'hands a run back on %s with a checkpoint, by an exit code of its own; the next worker goes on from there',
    async (signal) => {
      const folder = freshFolder()
      const journal = join(folder, 'journals')
      const long = `import { compare, image, mixer, shapes } from 'mixlab'
export const long = compare('long', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 20_000, batch: 8, checkpointEvery: { steps: 50 } },
  seeds: 1,
})
`
      const words = ['run', writeNotebook(folder, long), '--workspace', folder, '--journal', journal, '--threads', '1']
      expect(await stopped(signal, words, journal)).toBe(EXIT.handedBack)
      await mixlab(['import', journal, '--workspace', folder])
      const store = storeAt(folder)
      onTestFinished(() => store.close())
      const [run] = store.listRuns()
      const [resumable] = store.findResumable([run?.key ?? ''], 'simd')
      expect(run).toMatchObject({ status: 'interrupted', step: resumable?.step })
      const stop = new AbortController()
      const heard: string[] = []
      const err = (line: string) => {
        heard.push(line)
        if (line.includes('resumes')) stop.abort()
      }
      expect((await mixlab(words, { signal: stop.signal, err })).code).toBe(EXIT.interrupted)
      expect(heard).toContain(`mixer, seed 1: resumes at step ${run?.step}`)
    },
  )
})
