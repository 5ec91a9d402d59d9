import { type Adapter, type Gpu, type OpenedCard, openAdapter } from '../../engine/backends/webgpu/card.ts'

/** What the browser tells of an adapter. */
export interface BrowserAdapter extends Adapter {
  isFallbackAdapter?: boolean
  info: { vendor: string; architecture: string; device: string; description: string; isFallbackAdapter?: boolean }
}

const gpu = () => (navigator as unknown as { gpu?: Gpu }).gpu

/** The adapter of this browser, the faster one where there are two; null where there is none. */
export async function findAdapter(): Promise<BrowserAdapter | null> {
  const found = await gpu()
    ?.requestAdapter({ powerPreference: 'high-performance' })
    .catch(() => null)
  return (found as BrowserAdapter | null | undefined) ?? null
}

/** Opens the graphics card through the browser. Throws MixlabError `backend` where there is none. */
export function openCard(): Promise<OpenedCard> {
  return openAdapter(gpu())
}
