declare module 'plotly.js-strict-dist-min' {
  import type { AnyTrace, Figure } from './figure.ts'

  interface Plotly {
    react(element: HTMLElement, data: AnyTrace[], layout: Figure['layout'], config: object): Promise<unknown>
    purge(element: HTMLElement): void
    Plots: { resize(element: HTMLElement): void }
  }
  const plotly: Plotly
  export default plotly
}
