declare module 'plotly.js-cartesian-dist-min' {
  import type { Plotly } from './plotlyTypes.ts'

  const plotly: Plotly
  export default plotly
}
