import { describe, expect, it } from 'vitest'
import { connect } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { pair } from './pair.ts'

function joined<Local extends object>(local: Local) {
  const [near, far] = pair()
  connect(local, far)
  return connect<Local>({}, near)
}

describe('connect', () => {
  it('carries plain data, bytes and numbers that are not finite', async () => {
    const { remote } = joined({ echo: async (value: unknown) => value })
    const value = { text: 'é', list: [1, Number.NaN, -Infinity, null], bytes: new Uint8Array([1, 2, 255]) }
    expect(await remote.echo(value)).toEqual(value)
  })
  it('carries long lists, of numbers alone or not', async () => {
    const { remote } = joined({ echo: async (value: unknown) => value })
    const numbers = Array.from({ length: 100 }, (_, at) => at + 1).map(
      (i) => [i, -i, i / 3, Number.NaN, -Infinity, 2 ** 53][i % 6] ?? 0,
    )
    for (const value of [numbers, [...numbers, null], [...numbers, '1'], { short: true, lists: [numbers, [1, 2]] }]) {
      expect(await remote.echo(value)).toEqual(value)
    }
    expect(await remote.echo(Array(20))).toEqual(Array(20).fill(null)) // as any list without values
  })
  it('leaves the defaults of the other side to arguments that are left out', async () => {
    const { remote } = joined({ join: async (a: string, b = 'b', c = 'c') => [a, b, c].join('') })
    const given: [string, string | undefined, string | undefined] = ['a', undefined, undefined]
    expect([await remote.join(...given), await remote.join('a'), await remote.join('a', 'x')]).toEqual([
      ...['abc', 'abc', 'axc'],
    ])
  })
  it('brings a MixlabError back as one', async () => {
    const { remote } = joined({
      fail: async () => {
        throw new MixlabError('data', 'a/b.png', 'not a PNG')
      },
    })
    const error = await remote.fail().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MixlabError)
    expect(error).toMatchObject({ code: 'data', path: 'a/b.png', message: 'a/b.png: not a PNG' })
  })
  it('refuses functions that were not offered, inherited ones included', async () => {
    const { remote } = joined({}) as unknown as { remote: Record<string, () => Promise<void>> }
    await expect(remote.toString?.()).rejects.toThrow('not found')
    await expect(remote.missing?.()).rejects.toThrow('not found')
  })
  it('rejects what is pending when it closes', async () => {
    const connection = joined({ never: () => new Promise<void>(() => {}) })
    const pending = connection.remote.never()
    connection.close('connection lost')
    await expect(pending).rejects.toThrow('connection lost')
  })
})
