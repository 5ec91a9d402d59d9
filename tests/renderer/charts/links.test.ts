import { expect, it } from 'vitest'
import type { AnyTrace } from '../../../engine/charts/figure/figure.ts'
import { withoutLinks } from '../../../renderer/charts/links.ts'

it('leaves no link in any string of a figure', () => {
  const link = (text: string) => `<a href="https://evil.example/?${text}">${text}</a>`
  const figure = {
    data: [
      {
        type: 'scatter',
        name: link('name'),
        x: [link('tick'), 'b'],
        y: [1, null],
        hovertext: [link('hover'), 'plain'],
      },
      { type: 'heatmap', z: [[1]], text: [[link('cell')]], hovertemplate: `%{text}<extra>${link('box')}</extra>` },
    ] as unknown as AnyTrace[],
    layout: {
      title: { text: `<b>bold</b><br>${link('title')}` },
      xaxis: { title: { text: '<A\nhref="https://evil.example">x</A>' }, ticktext: [link('text')] },
      annotations: [{ text: link('note') }],
    } as never,
  }
  const text = JSON.stringify(withoutLinks(figure))
  expect(text).not.toMatch(/<\/?a/i)
  expect(text).toContain('<b>bold</b><br>&lt;a href')
})

it('leaves no style, which can name an address', () => {
  const name = '<b STYLE="cursor: url(https://evil.example)">b</b><i>i</i> <span style=x>'
  const figure = { data: [{ type: 'bar', name }] as unknown as AnyTrace[], layout: {} }
  expect(withoutLinks(figure).data[0]).toMatchObject({
    name: '&lt;b STYLE="cursor: url(https://evil.example)">b</b><i>i</i> &lt;span style=x>',
  })
  const long = '<'.repeat(1e6)
  expect(withoutLinks({ data: [], layout: { long } as never }).layout).toEqual({ long })
})

it('gives a figure without links back as it is, so that nothing is drawn again', () => {
  const figure = {
    data: [{ type: 'bar', x: ['a'], y: [1], name: 'a < b' }] as unknown as AnyTrace[],
    layout: { a: [1] } as never,
  }
  expect(withoutLinks(figure)).toBe(figure)
})
