import { isSoftware } from '../../engine/backends/software.ts'
import { POWER } from '../../engine/backends/webgpu/card.ts'
import type { BackendOption, BackendReport } from '../protocol/kernel.ts'
import { type BrowserAdapter, findAdapter } from './card.ts'
import { adapterName } from './renderer.ts'

/** The backends of this machine with the names of their devices. */
export async function probe(): Promise<BackendOption[]> {
  const found = [await probeWebgpu(), probeWebgl(), probeProcessor('simd'), probeProcessor('cpu')]
  return found.filter((option) => option !== null)
}

async function probeWebgpu(): Promise<BackendOption | null> {
  const adapter = await findAdapter()
  if (!adapter) return null
  const { vendor, architecture, isFallbackAdapter } = adapter.info
  const name = nameOf(adapter)
  const software = adapter.isFallbackAdapter === true || isFallbackAdapter === true || isSoftware(`${name} ${vendor}`)
  return { name: 'webgpu', device: name, software: software || isSoftware(architecture) }
}

function nameOf({ info: { vendor, architecture, device, description } }: BrowserAdapter): string {
  return description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unnamed adapter'
}

/** The graphics cards of this browser by what they are good for; none where there is one alone. */
export async function probeCards(): Promise<NonNullable<BackendReport['cards']>> {
  const found = await Promise.all(POWER.map(async (power) => ({ power, adapter: await findAdapter(power) })))
  const cards = found.flatMap(({ power, adapter }) => (adapter ? [{ power, device: nameOf(adapter) }] : []))
  return new Set(cards.map(({ device }) => device)).size > 1 ? cards : []
}

function probeWebgl(): BackendOption | null {
  const context = new OffscreenCanvas(1, 1).getContext('webgl2')
  if (!context) return null
  const extension = context.getExtension('WEBGL_debug_renderer_info')
  const renderer = String(context.getParameter(extension?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return { name: 'webgl', device: adapterName(renderer), software: isSoftware(renderer) }
}

function probeProcessor(name: 'simd' | 'cpu'): BackendOption | null {
  const { userAgentData, hardwareConcurrency } = navigator as Navigator & { userAgentData?: { platform?: string } }
  const cores = hardwareConcurrency === 1 ? '1 core' : `${hardwareConcurrency} cores`
  return {
    name,
    device: ['processor', cores, userAgentData?.platform].filter(Boolean).join(', '),
    software: false,
  }
}
