import { describe, expect, it } from 'vitest'
import { html, raw } from '../../../engine/report/html.ts'
import { markdownHtml } from '../../../engine/report/markdown.ts'

const shown = (source: string) => markdownHtml(source).html

describe('markdown in a report', () => {
  it('has formulas as MathML', () => {
    expect(shown('$x^2$ costs $5 and $6')).toMatch(/<math.*<\/math>.* costs \$5 and \$6/s)
    expect(shown('$$\n\\frac{a}{b}\n$$')).toContain('display="block"')
    expect(shown('$\\nothing{<b>$')).toContain('&#60;b&#62;')
  })

  it('shows HTML as text, and neither follows nor loads what it should not', () => {
    expect(shown('a <script>alert(1)</script>')).not.toContain('<script>')
    expect(shown('<div onclick="x">')).not.toContain('<div')
    expect(shown('![a <b>](https://a.b/c.png)')).not.toMatch(/<img|<b>/)
    expect(shown('[x](javascript:alert(1))')).not.toContain('href')
    expect(shown('[**x**](https://a.b/?c="d")')).toContain('<strong>x</strong></a>')
    expect(shown('`<b>`')).toContain('<code>&lt;b&gt;</code>')
  })
})

describe('html', () => {
  it('escapes what is put in, but for HTML', () => {
    expect(html`<p>${'<&>"'}${raw('<b>')}${null}${['a', raw('<i>')]}${5}</p>`.html).toBe(
      '<p>&#60;&#38;&#62;&#34;<b>a<i>5</p>',
    )
  })
})

it('shows a text that is too deeply nested as it is', () => {
  expect(shown('> '.repeat(20_000)).startsWith('<pre>&#62; &#62; ')).toBe(true)
})
