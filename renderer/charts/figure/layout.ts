import type { FigureStyle } from './figure.ts'

/** An axis in the colours of the page; `label` may be empty. */
export function axis(label: string | null, style: FigureStyle): Record<string, unknown> {
  return {
    gridcolor: style.grid,
    linecolor: style.grid,
    zeroline: false,
    tickfont: { color: style.muted, size: 11 },
    automargin: true,
    title: { text: label ?? '', standoff: 8, font: { color: style.muted, size: 12 } },
  }
}

/** What all figures have in common. */
export function frame(style: FigureStyle): Record<string, unknown> {
  return {
    autosize: true,
    paper_bgcolor: 'transparent',
    plot_bgcolor: 'transparent',
    font: { family: style.font, color: style.text, size: 12 },
    legend: { orientation: 'h', x: 0, y: 1, yanchor: 'bottom' },
    hoverlabel: { bgcolor: style.surface, bordercolor: style.grid, font: { color: style.text } },
  }
}
