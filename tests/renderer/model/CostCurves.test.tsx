import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { CostCurves } from '../../../renderer/model/CostCurves.tsx'

vi.mock('../../../renderer/charts/pageChart.ts', () => ({
  pageChart: () => ({ title: 'cost', figure: { data: [], layout: {} }, columns: [], rows: [] }),
}))
vi.mock('../../../renderer/charts/useFigureStyle.ts', () => ({ useFigureStyle: () => ({}) }))
vi.mock('../../../renderer/session/kernel/control.ts', () => ({}))
vi.mock('../../../renderer/host/useAnswer.ts', () => ({
  useAnswer: () => ({ value: null, error: 'run 7: no such run' }),
}))

it('says that steps of stored runs were not read, and not that there are none', () => {
  const stored = { key: 'a', read: async () => [] }
  const sizes = { tokens: 16, width: 8, depth: 2 }
  const html = renderToStaticMarkup(<CostCurves name="gmlp" sizes={sizes} macs={100} stored={stored} />)
  expect(html).toContain('role="alert">The steps of stored runs were not read: run 7: no such run</p>')
  expect(html).not.toContain('No finished run')
})
