import { expect, it } from 'vitest'
import { isDrawn } from '../../../renderer/charts/FigureView.tsx'

it('what Plotly has purged is no figure, though it keeps the class of one', () => {
  const classList = { contains: (name: string) => name === 'js-plotly-plot' }
  const element = { classList, _fullLayout: {} }
  expect(isDrawn(element as unknown as HTMLElement)).toBe(true)
  expect(isDrawn({ classList } as unknown as HTMLElement)).toBe(false)
})
