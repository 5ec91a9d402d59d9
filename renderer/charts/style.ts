import type { FigureStyle } from '../../engine/charts/figure/figure.ts'

const SERIES = [1, 2, 3, 4, 5, 6, 7]

/** A colour token as the browser resolves it now, `rgb(r, g, b)`. */
export function colour(token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${token})`
  document.body.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return resolved
}

/** The figure style that belongs to the current theme. */
export function figureStyle(): FigureStyle {
  return {
    series: SERIES.map((index) => colour(`series-${index}`)),
    text: colour('text'),
    muted: colour('muted'),
    grid: colour('border'),
    surface: colour('surface'),
    font: getComputedStyle(document.body).fontFamily,
  }
}
