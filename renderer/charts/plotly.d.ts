declare module 'plotly.js-strict-dist-min' {
  import type { Figure } from './figure.ts'

  interface Plotly {
    react(element: HTMLElement, data: Figure['data'], layout: Figure['layout'], config: object): Promise<unknown>
    purge(element: HTMLElement): void
    Plots: { resize(element: HTMLElement): void }
  }
  const plotly: Plotly
  export default plotly
}
