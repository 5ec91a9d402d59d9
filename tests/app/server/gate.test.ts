import { describe, expect, it } from 'vitest'
import { createGate } from '../../../app/server/gate.ts'

const token = 'a-token'
const host = '127.0.0.1:4000'
const gate = createGate(4000, token)
const offering = (protocols?: string) => ({ headers: { host, 'sec-websocket-protocol': protocols } })

describe('createGate', () => {
  it('prints an address whose token a browser sends nowhere', () => {
    expect(gate.url).toBe(`http://127.0.0.1:4000/#token=${token}`)
  })

  it.each(['127.0.0.1:4000', 'localhost:4000'])('answers to %s', (name) => {
    expect(gate.refusal({ headers: { host: name } })).toBeNull()
    expect(gate.refusal({ headers: { host: name, origin: `http://${name}` } })).toBeNull()
  })

  it.each([undefined, '', 'evil.example', 'evil.example:4000', '127.0.0.1', '127.0.0.1:4001', '127.0.0.1:4000.evil'])(
    'does not answer to the host %j',
    (name) => {
      const headers = name === undefined ? {} : { host: name }
      expect(gate.refusal({ headers })).toMatch(/answers to 127\.0\.0\.1:4000 and localhost:4000 only/)
    },
  )

  it.each(['null', 'http://evil.example', 'http://localhost:4001', 'https://localhost:4000', 'mixlab://workbench', ''])(
    'does not talk to pages of the origin %j',
    (origin) => {
      expect(gate.refusal({ headers: { host, origin } })).toMatch(/other origins/)
    },
  )

  it.each([token, `mixlab, ${token}`, `mixlab,${token},x`])('admits who offers %j', (protocols) => {
    expect(gate.admits(offering(protocols))).toBe(true)
  })

  it.each([undefined, '', 'mixlab', 'wrong', `${token}x`, token.toUpperCase(), `mixlab ${token}`, `"${token}"`])(
    'does not admit who offers %j',
    (protocols) => {
      expect(gate.admits(offering(protocols))).toBe(false)
    },
  )

  it('takes no token from an address or a cookie', () => {
    const headers = { host, cookie: `mixlab-4000=${token}`, authorization: token }
    const request = { url: `/host?token=${token}`, headers }
    expect(gate.admits(request)).toBe(false)
  })

  it('does without a port number where the browser leaves it out', () => {
    expect(createGate(80, token).refusal({ headers: { host: 'localhost' } })).toBeNull()
  })
})
