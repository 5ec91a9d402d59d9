import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newToken, recallAddress, rememberAddress } from '../../../app/server/address.ts'
import { freshFolder } from '../store/samples.ts'

const file = () => join(freshFolder(), 'address.json')

describe('the address of a workspace', () => {
  it('is new where there is none: any port, a token of its own', () => {
    const [first, second] = [recallAddress(file()), recallAddress(file())]
    expect(first.port).toBe(0)
    expect(first.token).toMatch(/^[\w-]{43}$/)
    expect(second.token).not.toBe(first.token)
  })

  it('is the one that was kept, which nobody else can read', () => {
    const path = file()
    const address = { port: 4321, token: newToken() }
    rememberAddress(path, { port: 1, token: newToken() })
    rememberAddress(path, address)
    expect(recallAddress(path)).toEqual(address)
    const changed = recallAddress(path, true)
    expect(changed).toEqual({ port: address.port, token: expect.any(String) })
    expect(changed.token).not.toBe(address.token)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it.skipIf(process.platform === 'win32')('is given up where others can read it', () => {
    const path = file()
    rememberAddress(path, { port: 4321, token: newToken() })
    chmodSync(path, 0o640)
    expect(recallAddress(path).port).toBe(0)
  })

  it.each([
    '',
    'null',
    '{"port":-1,"token":"x"}',
    '{"port":80,"token":""}',
    '{"port":80,"token":"a b c d e f g h i j k l m n o p q"}',
  ])('is new where it is damaged: %j', (text) => {
    const path = file()
    writeFileSync(path, text, { mode: 0o600 })
    expect(recallAddress(path).port).toBe(0)
  })
})
