import { describe, expect, it } from 'vitest'
import { asLaunch, launchArguments, parseLaunch } from '../../../app/electron/launch.ts'

describe('parseLaunch', () => {
  it('reads back what launchArguments wrote', () => {
    for (const launch of [
      { workspace: '/a b/=c', notebook: 'first.ts' },
      { workspace: '--odd', notebook: null },
    ])
      expect(parseLaunch(launchArguments(launch), '/default')).toEqual(launch)
  })

  it('takes both ways to write an option', () => {
    expect(parseLaunch(['--workspace', '/w', '--notebook', 'n.ts'], '/default')).toEqual({
      workspace: '/w',
      notebook: 'n.ts',
    })
  })

  it.each([
    [[]],
    [['--workspace']],
    [['--workspace=']],
    [['--user-data-dir=/tmp/x', '--enable-features=A,B', 'file', '-psn_0_1']],
  ])('falls back to the default for %j', (args) => {
    expect(parseLaunch(args, '/default')).toEqual({ workspace: '/default', notebook: null })
  })
})

describe('asLaunch', () => {
  it('takes a launch of another process', () => {
    expect(asLaunch({ workspace: '/w', notebook: 'n.ts' })).toEqual({ workspace: '/w', notebook: 'n.ts' })
    expect(asLaunch({ workspace: '/w' })).toEqual({ workspace: '/w', notebook: null })
  })

  it.each([undefined, null, '/w', {}, { workspace: 1 }, { workspace: '/w', notebook: 2 }])('refuses %j', (value) => {
    expect(asLaunch(value)).toBeNull()
  })
})
