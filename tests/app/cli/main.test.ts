import { describe, expect, it } from 'vitest'
import { commands } from '../../../app/cli/index.ts'
import { mixlab } from './recorder.ts'

describe('mixlab', () => {
  it('lists its commands', async () => {
    const { code, out } = await mixlab(['help'])
    expect(code).toBe(0)
    for (const { name, summary } of await Promise.all(Object.values(commands).map((load) => load())))
      expect(out.some((line) => line.includes(name) && line.includes(summary))).toBe(true)
  })
  it('shows the options of a command', async () => {
    const asked = await mixlab(['help', 'run'])
    expect(asked.out.join('\n')).toContain('--only V,...')
    expect((await mixlab(['run', '--help'])).out).toEqual(asked.out)
  })
  it.each([
    [['rnu'], "unknown command 'rnu' (did you mean 'run'?)"],
    [['run', 'a.ts', '--qiuck'], "unknown option '--qiuck' (did you mean '--quick'?)"],
    [['run', 'a.ts', '--seeds'], "option '--seeds' needs a value, --seeds N"],
    [['run', 'a.ts', '--quick=yes'], "option '--quick' takes no value"],
    [['run'], "'run' needs <notebook>..."],
    [['convert', 'a.ts', 'b.ts'], "'b.ts' is one word too many"],
  ])('refuses %j and shows the usage', async (argv, message) => {
    const { code, err } = await mixlab(argv)
    expect(code).toBe(2)
    expect(err[0]).toBe(`mixlab: ${message}`)
    expect(err[1]).toMatch(/^usage: mixlab |^see 'mixlab help'$/)
  })
})
