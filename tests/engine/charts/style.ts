import type { FigureStyle } from '../../../engine/charts/figure/figure.ts'

/** Black on white, with two series colours, so that a third variant needs another dash. */
export const style: FigureStyle = {
  series: ['rgb(1, 2, 3)', 'rgb(4, 5, 6)'],
  text: 'rgb(0, 0, 0)',
  muted: 'rgb(100, 100, 100)',
  grid: 'rgb(220, 220, 220)',
  surface: 'rgb(255, 255, 255)',
  font: 'font',
}
