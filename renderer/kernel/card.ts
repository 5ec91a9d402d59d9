import type { GpuDevice } from '../../engine/backends/webgpu/gpu.ts'
import { LIMITS, type OpenedCard } from '../../engine/backends/webgpu/register.ts'
import { MixlabError } from '../../engine/errors.ts'

/** The part of WebGPU that probing and opening a card need. */
export interface Gpu {
  requestAdapter(options: { powerPreference: 'high-performance' }): Promise<GpuAdapter | null>
}

export interface GpuAdapter {
  isFallbackAdapter?: boolean
  info: { vendor: string; architecture: string; device: string; description: string; isFallbackAdapter?: boolean }
  limits: Record<string, number>
  features: { has(name: string): boolean }
  requestDevice(options: { requiredFeatures: string[]; requiredLimits: Record<string, number> }): Promise<GpuDevice>
}

/** The adapter of this browser, the faster one where there are two; null where there is none. */
export async function findAdapter(): Promise<GpuAdapter | null> {
  const { gpu } = navigator as { gpu?: Gpu }
  return (await gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null)) ?? null
}

/** Opens the card with all that it has. Throws MixlabError `backend` where it is gone. */
export async function openCard(): Promise<OpenedCard> {
  const adapter = await findAdapter()
  if (!adapter) throw new MixlabError('backend', '', 'webgpu does not start: the graphics card is not there any more')
  const requiredFeatures = ['timestamp-query'].filter((name) => adapter.features.has(name))
  const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name] as number]))
  return { device: await adapter.requestDevice({ requiredFeatures, requiredLimits }), info: adapter.info }
}
