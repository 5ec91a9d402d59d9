import type { GpuDevice } from '../engine/backends/webgpu/gpu.ts'
import { LIMITS, type OpenedCard } from '../engine/backends/webgpu/register.ts'
import { MixlabError, messageOf } from '../engine/errors.ts'

/** The part of the package `webgpu` that opening a card needs. */
interface Dawn {
  create(flags: string[]): Gpu
  globals: Record<string, unknown>
}
interface Gpu {
  requestAdapter(options: { powerPreference: 'high-performance' }): Promise<Adapter | null>
}
interface Adapter {
  readonly limits: Record<string, number>
  readonly features: { has(name: string): boolean }
  readonly info: Record<'vendor' | 'architecture' | 'device' | 'description', string>
  requestDevice(options: { requiredFeatures: string[]; requiredLimits: Record<string, number> }): Promise<GpuDevice>
}

/** Node dies at its end where Dawn has been collected before its devices. */
const opened: object[] = []

/**
 * Opens the graphics card of this machine through the optional package `webgpu`, Dawn for Node. `flags` are those of
 * Dawn, e.g. `backend=null` for a card that checks everything and computes nothing. Throws MixlabError `backend` where
 * the package or a card is missing.
 */
export async function openCard(flags: string[] = []): Promise<OpenedCard & { name: string }> {
  const { create, globals } = await loadDawn()
  const gpu = create(flags)
  // tfjs looks for both there
  Object.assign(globalThis, globals)
  Object.defineProperty(globalThis.navigator, 'gpu', { value: gpu, configurable: true })
  opened.push(gpu)
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (!adapter) throw missing('finds no graphics card; a Vulkan driver of the card has to be installed')
  const requiredFeatures = ['timestamp-query'].filter((name) => adapter.features.has(name))
  const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name] as number]))
  const device = await adapter.requestDevice({ requiredFeatures, requiredLimits })
  opened.push(adapter, device)
  const { vendor, architecture, device: model, description } = adapter.info
  const name = description || model || [vendor, architecture].filter(Boolean).join(' ') || 'unnamed card'
  return { device, info: adapter.info, name }
}

async function loadDawn(): Promise<Dawn> {
  try {
    return (await import('webgpu')) as unknown as Dawn
  } catch (error) {
    const [reason] = messageOf(error).split('\n')
    throw missing(`needs the package 'webgpu', which does not load here: ${reason}`)
  }
}

function missing(what: string): MixlabError {
  return new MixlabError('backend', '--backend', `'webgpu' ${what}`)
}
