/** All of them, those of graphics cards first. */
export const BACKENDS = ['webgpu', 'webgl', 'simd', 'cpu'] as const
export type BackendName = (typeof BACKENDS)[number]

/** What executes tensors. */
export interface BackendInfo {
  name: BackendName
  /** The adapter or processor, as it calls itself. */
  device: string
}
