import { MixlabError } from '../../errors.ts'
import type { GpuDevice } from './gpu.ts'

/** A graphics card as WebGPU offers it. */
export interface Adapter {
  readonly limits: object
  readonly features: { has(name: string): boolean }
  readonly info: object
  requestDevice(options: { requiredFeatures: string[]; requiredLimits: Record<string, number> }): Promise<GpuDevice>
}

/** `navigator.gpu`, or what stands for it. */
export interface Gpu {
  requestAdapter(options: { powerPreference: 'high-performance' }): Promise<Adapter | null>
}

/** An opened graphics card. */
export interface OpenedCard {
  device: GpuDevice
  /** `GPUAdapterInfo`, which the stock backend reads. */
  info?: object | undefined
  /** How often a card was lost in what is trained now; 0 where it is left out. */
  losses?: number
}

/** Limits of WebGPU that are asked for as high as the adapter has them. */
const LIMITS = [
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const

/** Opens the graphics card. Throws MixlabError `backend` where there is none. */
export async function openAdapter(gpu: Gpu | undefined): Promise<OpenedCard> {
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) throw new MixlabError('backend', '', 'finds no graphics card')
  const requiredFeatures = ['timestamp-query'].filter((name) => adapter.features.has(name))
  const limits = adapter.limits as Record<string, number>
  const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, limits[name] as number]))
  return { device: await adapter.requestDevice({ requiredFeatures, requiredLimits }), info: adapter.info }
}
