import type { StepTime } from '../../records/environment.ts'

/** `webgpu 2.1 ms, simd 21 ms a step`; what does not train says so. */
export function timesText(times: readonly StepTime[]): string {
  const texts = times.map(({ name, ms, why }) =>
    ms === null ? `${name} does not train (${why})` : `${name} ${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`,
  )
  return `${texts.join(', ')} a step`
}

/** `which mixing: trained on webgpu; webgpu 2.1 ms, simd 21 ms a step`; where a card takes about as long, it says so. */
export function chosenText(study: string, backend: string, times: readonly StepTime[]): string {
  const own = times.find(({ name }) => name === backend)?.ms ?? 0
  const tie = times.some(({ ms }) => ms !== null && ms < own) ? ', for a card takes about as long' : ''
  return `${study}: trained on ${backend}${tie}; ${timesText(times)}`
}
