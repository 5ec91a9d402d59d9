import type { AttentionMap } from '../nn/attentionMaps.ts'

/** An attention map as it crosses to another thread or process, where typed arrays are bytes. */
export interface SentAttention extends Omit<AttentionMap, 'values'> {
  /** float32. */
  values: Uint8Array
}

export function sentAttention(maps: readonly AttentionMap[]): SentAttention[] {
  return maps.map(({ values, ...map }) => ({ ...map, values: new Uint8Array(values.slice().buffer) }))
}

export function receivedAttention(sent: readonly SentAttention[]): AttentionMap[] {
  return sent.map(({ values, ...map }) => ({ ...map, values: new Float32Array(new Uint8Array(values).buffer) }))
}
