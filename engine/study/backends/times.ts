import type { StepTime } from '../../records/environment.ts'

/** `webgpu 2.1 ms, simd 21 ms a step`; what does not train says so. */
export function timesText(times: readonly StepTime[]): string {
  const texts = times.map(({ name, ms, why }) =>
    ms === null ? `${name} does not train (${why})` : `${name} ${msText(ms)}`,
  )
  return `${texts.join(', ')} a step`
}

/** `which mixing: trained on webgpu; webgpu 2.1 ms, simd 21 ms a step`. */
export function chosenText(study: string, backend: string, times: readonly StepTime[]): string {
  return `${study}: trained on ${backend}; ${timesText(times)}`
}

function msText(ms: number): string {
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`
}
