import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ErrorBoundary } from '../../../renderer/ui/ErrorBoundary.tsx'

/** What is shown after a drawing that threw `error`, which a server does not catch by itself. */
function shownAfter(error: unknown, more: Partial<ErrorBoundary['props']> = {}): string {
  const boundary = new ErrorBoundary({ what: 'The runs', children: 'rows', ...more })
  boundary.state = ErrorBoundary.getDerivedStateFromError(error)
  return renderToStaticMarkup(boundary.render())
}

describe('ErrorBoundary', () => {
  it('shows what it holds', () => {
    expect(renderToStaticMarkup(<ErrorBoundary what="The runs">rows</ErrorBoundary>)).toBe('rows')
  })

  it('says in place of it what failed and why, with two ways on', () => {
    const html = shownAfter(new TypeError('rows is null'))
    expect(html).toContain('role="alert"')
    expect(html).toContain('The runs cannot be shown: rows is null')
    expect([...html.matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual(['Try again', 'Reload'])
    expect(html).not.toContain('>rows<')
  })

  it('takes anything that is thrown, undefined as well', () => {
    expect(shownAfter(undefined)).toContain('The runs cannot be shown')
    expect(shownAfter('out of paper', { frame: (message) => <main>{message}</main> })).toMatch(/^<main>.*out of paper/)
  })
})
