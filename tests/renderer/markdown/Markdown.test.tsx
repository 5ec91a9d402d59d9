import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../../renderer/markdown/Markdown.tsx'

const html = (source: string) =>
  renderToStaticMarkup(<Markdown source={source} />).replace(/^<div class="prose">|<\/div>$/g, '')

describe('Markdown', () => {
  it('renders what prose needs', () => {
    expect(html('# A *b*')).toBe('<h1>A <em>b</em></h1>')
    expect(html('a **b** `c<d` ~~e~~')).toBe('<p>a <strong>b</strong> <code>c&lt;d</code> <del>e</del></p>')
    expect(html('2. x\n3. y')).toBe('<ol start="2"><li>x</li><li>y</li></ol>')
    expect(html('```\nx < y\n```')).toBe('<pre>x &lt; y</pre>')
    expect(html('> q')).toBe('<blockquote><p>q</p></blockquote>')
  })

  it('renders tables with their alignment', () => {
    expect(html('| a |\n|--:|\n| 1 |')).toContain('<td style="text-align:right">1</td>')
  })

  it('shows HTML as text', () => {
    expect(html('<img src=x onerror=alert(1)>')).not.toContain('<img')
    expect(html('a <b>c</b>')).toBe('<p>a &lt;b&gt;c&lt;/b&gt;</p>')
  })

  it('shows the pictures that a text itself holds, and of others their words', () => {
    expect(html('![a](data:image/png;base64,aGk=)')).toBe('<p><img src="data:image/png;base64,aGk=" alt="a"/></p>')
    expect(html('![a](https://arxiv.org/a.png) ![b](data:text/html,b)')).toBe('<p>a b</p>')
  })

  it('opens links elsewhere, without a way back', () => {
    expect(html('[p](https://arxiv.org)')).toBe(
      '<p><a href="https://arxiv.org" target="_blank" rel="noopener noreferrer">p</a></p>',
    )
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'relative',
    '#/runs',
    'file:///etc/passwd',
  ])('makes no link of %s', (address) => {
    expect(html(`[p](${address})`)).not.toContain('<a')
  })

  it('shows an image as its description', () => {
    expect(html('![a chart](https://example.org/x.png)')).toBe('<p>a chart</p>')
  })

  it.each([
    ['a $x^2$ b', 'x^2', false],
    ['$x$', 'x', false],
    ['**$\\alpha\\$$**', '\\alpha\\$', false],
    ['$$\ny = W x\n$$', 'y = W x', true],
    ['text $$a + b$$ more', 'a + b', true],
    ['- item $k$', 'k', false],
    ['| a |\n|---|\n| $t$ |', 't', false],
  ])('sets the formula of %j', (source, tex, display) => {
    const shown = html(source)
    expect(shown).toContain(`<annotation encoding="application/x-tex">${tex}</annotation>`)
    expect(shown.includes('class="formula display"')).toBe(display)
  })

  it.each(['it costs $5 and $6', 'a $ b $ c', '\\$x\\$', '`$x$`', '$$', '$$ $$', '```\n$x$\n```', 'a $x\ny$'])(
    'sees no formula in %j',
    (source) => {
      expect(html(source)).not.toContain('katex')
      expect(html(source)).toContain('$')
    },
  )

  it('sets a formula between paragraphs', () => {
    expect(html('a\n\n$$x$$\n\nb')).toMatch(/^<p>a<\/p><span class="formula display">.*<\/span><p>b<\/p>$/)
  })

  it('shows wrong TeX with the reason', () => {
    const shown = html('$\\frac{1}$')
    expect(shown).toMatch(/<code class="bad-formula" title="[^"]+">\\frac\{1\}<\/code>/)
  })

  it('makes nothing active of TeX', () => {
    const shown = html('$\\href{javascript:alert(1)}{x}$ $\\htmlData{a=b}{x}$ $\\text{<img src=x>}$')
    expect(shown).not.toContain('href=')
    expect(shown).not.toContain('data-a')
    expect(shown).not.toContain('<img')
  })
})
