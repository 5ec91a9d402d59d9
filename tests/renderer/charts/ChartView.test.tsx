import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Chart } from '../../../engine/charts/figure/chart.ts'
import { ChartView } from '../../../renderer/charts/ChartView.tsx'
import { DataTable } from '../../../renderer/ui/DataTable.tsx'

const chart: Chart = {
  title: 'loss over step',
  figure: { data: [], layout: {} },
  columns: ['variant', 'run'],
  rows: [['a', 7]],
}

describe('ChartView', () => {
  it('has its title, its tools by name, and what a screen reader says for the drawing', () => {
    const html = renderToStaticMarkup(<ChartView chart={{ ...chart, note: 'Band: sd.', height: 99 }} />)
    expect(html).toContain('<figcaption>loss over step</figcaption>')
    expect([...html.matchAll(/<button[^>]*>(\w+)/g)].map(([, name]) => name)).toEqual(['Data', 'Save'])
    expect(html).toContain('role="img" aria-label="loss over step; variant: a"')
    expect(html).toContain('height:99px')
    expect(html).toContain('Band: sd.')
  })

  it('says where there is nothing to draw', () => {
    expect(renderToStaticMarkup(<ChartView chart={chart} />)).not.toContain('No values yet')
    expect(renderToStaticMarkup(<ChartView chart={{ ...chart, rows: [] }} />)).toContain('No values yet')
  })
})

describe('DataTable', () => {
  it('leads where its cells say', () => {
    const link = (column: string, value: unknown) => (column === 'run' ? `#/run/${value}` : null)
    const { columns, rows } = chart
    const html = renderToStaticMarkup(<DataTable columns={columns} rows={rows} total={1} label="t" linkOf={link} />)
    expect(html).toContain('<td>a</td>')
    expect(html).toContain('<a href="#/run/7">7</a>')
  })
})
