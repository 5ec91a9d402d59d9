declare module 'plotly.js-strict-dist-min' {
  import type { Plotly } from './plotlyTypes.ts'

  const plotly: Plotly
  export default plotly
}
