import type { FigureStyle } from '../../../renderer/charts/figure.ts'

/** Two series colours, so that a third variant needs another dash. */
export const style: FigureStyle = {
  series: ['rgb(1, 2, 3)', 'rgb(4, 5, 6)'],
  text: 'text',
  muted: 'muted',
  grid: 'grid',
  surface: 'surface',
  font: 'font',
}
