import type { FigureStyle } from '../../../renderer/charts/figure.ts'

/** Black on white, with two series colours. */
export const style: FigureStyle = {
  series: ['rgb(0, 0, 200)', 'rgb(200, 100, 0)'],
  text: 'rgb(0, 0, 0)',
  muted: 'rgb(100, 100, 100)',
  grid: 'rgb(220, 220, 220)',
  surface: 'rgb(255, 255, 255)',
  font: 'f',
}
