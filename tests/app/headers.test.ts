import { describe, expect, it } from 'vitest'
import { headersFor } from '../../app/headers.ts'

describe('headersFor', () => {
  it.each(['/', '/index.html', '/assets/kernel-1a2b.js', '/assets/main-3c4d.css'])('isolates %s', (path) => {
    expect(headersFor(path)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  it('lets the page run its own scripts only, without eval', () => {
    const policy = directives('/')
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('connect-src')).toBe("'self'")
    expect(policy.get('worker-src')).toBe("'self'")
    for (const name of ['frame-ancestors', 'form-action', 'base-uri']) expect(policy.get(name)).toBe("'none'")
  })

  it('lets the kernel evaluate and reach nothing', () => {
    const policy = directives('/assets/kernel-1a2b.js')
    expect(policy.get('script-src')).toBe("'self' 'unsafe-eval' 'wasm-unsafe-eval'")
    expect(policy.get('connect-src')).toBe("'none'")
    expect(policy.get('default-src')).toBe("'none'")
  })

  it('gives the kernel policy to the kernel script alone', () => {
    for (const path of ['/assets/editor.worker-1a.js', '/kernel-1a.js', '/assets/', '/assets/x/kernel-1.js'])
      expect(directives(path).get('script-src')).toBe("'self'")
  })

  it('names the WebSocket origin for the page and never for the kernel', () => {
    expect(directives('/', 'ws://localhost:1').get('connect-src')).toBe("'self' ws://localhost:1")
    expect(directives('/assets/kernel-1a.js', 'ws://localhost:1').get('connect-src')).toBe("'none'")
  })

  it('keeps hashed files for good and asks again for the page', () => {
    expect(headersFor('/assets/main-3c4d.js')['cache-control']).toContain('immutable')
    expect(headersFor('/')['cache-control']).toBe('no-cache')
    expect(headersFor('/index.html')['cache-control']).toBe('no-cache')
  })
})

function directives(path: string, socket?: string): Map<string, string> {
  const policy = headersFor(path, socket)['content-security-policy'] ?? ''
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )
}
