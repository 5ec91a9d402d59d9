import type { ChildProcess } from 'node:child_process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { integer, keyOf } from '../../../engine/random.ts'
import { LONG, sample } from '../../long.ts'
import { disturbed } from '../attempts/disturbed.ts'
import { freshFolder, mixlab, writeNotebook } from '../cli/recorder.ts'
import { resultsIn } from '../store/results.ts'

/** The processes of cells that were started, oldest first: the one that plans, or trains alone, comes before its places. */
const started = vi.hoisted(() => ({ children: [] as ChildProcess[], heard: (_: ChildProcess) => {} }))
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof import('node:child_process')>()
  const spawn = (...given: Parameters<typeof real.spawn>) => {
    const child = real.spawn(...given)
    if (given[0] !== process.execPath) return child // what ends it with this process
    started.children.push(child)
    started.heard(child)
    return child
  }
  return { ...real, spawn }
})
afterEach(() => {
  started.children.length = 0
  started.heard = () => {}
})

/** A study of four runs that evaluates and saves often. */
const NOTEBOOK = (steps: number) =>
  disturbed({ variants: '{ mixed, mixer: mixer() }', steps, evalEvery: 10, checkpointEvery: 5, seeds: 2 })

async function train(text: string, more: string[] = [], redraw: () => void = () => {}) {
  const folder = freshFolder()
  const path = writeNotebook(folder, text)
  const result = await mixlab(['run', path, ...more, '--threads', '2', '--workspace', folder], { redraw })
  return { ...result, results: resultsIn(folder) }
}

const kill = (...children: (ChildProcess | undefined)[]) => {
  for (const child of children) child?.kill('SIGKILL')
}
/** The processes that live. */
const living = () => started.children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)

const GOES_ON = 'the process that trains ended: SIGKILL; another one continues from the last checkpoint'
const LOST = /its process ended: SIGKILL; it continues from its last checkpoint$/

describe('runs whose processes are killed', () => {
  it.runIf(LONG)(
    'are all done, with the bits of an undisturbed study: a place, and the process that plans',
    async () => {
      const steps = 400
      const whole = await train(NOTEBOOK(steps))
      expect(whole.results).toMatchObject(Array(4).fill({ status: 'done', step: steps }))
      let drawn = 0
      const { code, err, results } = await train(NOTEBOOK(steps), ['--jobs', '2'], () => {
        drawn += 1
        if (drawn === 4) kill(living()[1])
        if (drawn === 12) kill(living()[0])
      })
      expect(code).toBe(0)
      expect(err.filter((line) => LOST.test(line))).toHaveLength(1)
      expect(err).toContain(GOES_ON)
      expect(results).toEqual(whole.results)
    },
  )

  it('go on where the one process that trains is killed; the counts are those of the whole', async () => {
    let drawn = 0
    const redraw = () => {
      drawn += 1
      if (drawn === 3) kill(living()[0])
    }
    const { code, out, err, results } = await train(NOTEBOOK(200), ['--json'], redraw)
    expect(code).toBe(0)
    expect(err).toContain(GOES_ON)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ trained: 4, cached: 0, failed: 0 })
    expect(results).toMatchObject(Array(4).fill({ status: 'done', step: 200 }))
  })

  it.each(
    sample([
      ['one at a time', []],
      ['side by side', ['--jobs', '2']],
    ] as const),
  )('fail where that happens three times, and the others do not, with --trust: %s', async (_, more) => {
    const cells = `// %% deadly
import { add, block as made, dense as plain } from 'mixlab'
let steps = 0
export const deadly = made('deadly', (x, { dim }) => {
  const y = plain(x, dim)
  y.mean().dataSync()
  if (x.shape[0] === 16 && ++steps > 1) process.kill(process.pid, 'SIGKILL') // while it trains
  return add(x, y)
})

${NOTEBOOK(4).replace('variants: {', 'variants: { deadly,')}`
    const { code, err, results } = await train(cells, [...more, '--trust', '--seeds', '1', '--json'])
    expect(code, err.join('\n')).toBe(3)
    expect(results).toMatchObject([
      {
        variant: 'deadly',
        status: 'failed',
        error: expect.stringMatching(/lost its process 3 times .* out of memory/),
      },
      { variant: 'mixed', status: 'done' },
      { variant: 'mixer', status: 'done' },
    ])
  })

  it.runIf(LONG)('are all done after 20 kills at random moments, with the bits of an undisturbed study', async () => {
    const steps = 2000
    const whole = await train(NOTEBOOK(steps))
    const key = keyOf(7, 'kills')
    let draws = 0
    const draw = (below: number) => integer(key, draws++, below)
    let kills = 0
    let wait = 3 + draw(3)
    const { code, results } = await train(NOTEBOOK(steps), ['--jobs', '2'], () => {
      wait -= 1
      if (wait > 0 || kills >= 20) return
      kills += 1
      wait = 3 + draw(3) // time for a checkpoint of each: the line is drawn four times a second
      const [planner, one, other] = living()
      const victims = [[one], [other], [one, other], [planner]][draw(4)] ?? []
      setTimeout(() => kill(...victims), draw(30)) // during a step, an evaluation or a checkpoint
      if (draw(3) > 0) return
      kills += 1
      started.heard = (child) => {
        started.heard = () => {}
        setTimeout(() => kill(child), draw(1500)) // while it starts
      }
    })
    expect([code, kills]).toEqual([0, expect.toSatisfy((count: number) => count >= 20)])
    expect(results).toEqual(whole.results)
  })
})
