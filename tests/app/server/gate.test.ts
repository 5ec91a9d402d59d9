import { describe, expect, it } from 'vitest'
import { createGate } from '../../../app/server/gate.ts'

const token = 'a-token'
const host = '127.0.0.1:4000'
const cookie = `mixlab-4000=${token}`
const gate = createGate(4000, token)

describe('createGate', () => {
  it('prints an address that passes', () => {
    expect(gate.url).toBe(`http://127.0.0.1:4000/?token=${token}`)
    expect(gate.refusal({ url: `/?token=${token}`, headers: { host } })).toBeNull()
  })

  it('keeps the cookie from scripts and other sites, under a name of its own port', () => {
    expect(gate.cookie).toBe(`${cookie}; HttpOnly; SameSite=Strict; Path=/`)
  })

  it.each(['127.0.0.1:4000', 'localhost:4000'])('answers to %s', (name) => {
    expect(gate.refusal({ url: '/', headers: { host: name, cookie } })).toBeNull()
    expect(gate.refusal({ url: '/', headers: { host: name, cookie, origin: `http://${name}` } })).toBeNull()
  })

  it.each([undefined, '', 'evil.example', 'evil.example:4000', '127.0.0.1', '127.0.0.1:4001', '127.0.0.1:4000.evil'])(
    'does not answer to the host %j',
    (name) => {
      const headers = name === undefined ? { cookie } : { host: name, cookie }
      expect(gate.refusal({ url: '/', headers })).toMatch(/answers to 127\.0\.0\.1:4000 and localhost:4000 only/)
    },
  )

  it.each(['null', 'http://evil.example', 'http://localhost:4001', 'https://localhost:4000', 'mixlab://workbench', ''])(
    'does not talk to pages of the origin %j',
    (origin) => {
      expect(gate.refusal({ url: '/', headers: { host, cookie, origin } })).toMatch(/other origins/)
    },
  )

  it.each([
    undefined,
    '',
    'mixlab-4000=',
    'mixlab-4000=wrong',
    `mixlab-4000=${token}x`,
    `mixlab-4001=${token}`,
    'mixlab-4000=%zz',
    token,
  ])('asks for the token when the cookie is %j', (value) => {
    const headers = value === undefined ? { host } : { host, cookie: value }
    expect(gate.refusal({ url: '/', headers })).toMatch(/open the address it printed/)
  })

  it('finds its cookie among others', () => {
    expect(gate.refusal({ url: '/', headers: { host, cookie: `a=b; mixlab-4001=x; ${cookie}` } })).toBeNull()
  })

  it.each(['/?token=wrong', '/?token=', '/?token', '/?TOKEN=a-token', '//a-token'])('does not take %s', (url) => {
    expect(gate.refusal({ url, headers: { host } })).toMatch(/open the address it printed/)
  })

  it('does without a port number where the browser leaves it out', () => {
    const web = createGate(80, token)
    expect(web.refusal({ url: '/', headers: { host: 'localhost', cookie: `mixlab-80=${token}` } })).toBeNull()
  })
})
