import type { BarTrace, DotsTrace } from './figure.ts'

/** A trace with its axes exchanged: what stood, lies. */
export function transposedTrace(trace: BarTrace | DotsTrace): BarTrace | DotsTrace {
  const { x, y, error_y, hovertemplate = '', ...rest } = trace
  return {
    ...rest,
    ...(rest.type === 'bar' ? { orientation: 'h' } : {}),
    ...(error_y ? { error_x: error_y } : {}),
    x: y,
    y: x,
    hovertemplate: hovertemplate.replace('%{y', '%{x'),
  }
}
