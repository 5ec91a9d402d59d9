import { expect, it } from 'vitest'
import { LONG } from '../../long.ts'
import { skipLine } from './server.ts'
import { runTrial } from './trial.ts'

it.skipIf(!LONG || skipLine())(
  'trains each run once for two commands, with the bits of one process, where a worker and the server are killed',
  async () => {
    const faults = { kill: 1, stop: 0, server: 1, full: 0, owner: 0, pause: 0 }
    const said: string[] = []
    const trial = {
      seeds: 2,
      steps: 400,
      workers: 2,
      owners: 2,
      faults,
      seed: 1,
      say: (line: string) => void said.push(line),
    }
    const { queued, local, made, left, exit } = await runTrial(trial)
    expect(exit, said.join('\n')).toBe(0)
    expect(made).toContain('kill')
    expect(queued).toHaveLength(4)
    expect(queued).toEqual(local)
    expect(left).toEqual([])
  },
)
