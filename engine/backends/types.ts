export type BackendName = 'webgpu' | 'webgl' | 'simd' | 'cpu'

/** What executes tensors. */
export interface BackendInfo {
  name: BackendName
  /** The adapter or processor, as it calls itself. */
  device: string
}
