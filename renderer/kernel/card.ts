import { type Adapter, type Gpu, type OpenedCard, openAdapter, type Power } from '../../engine/backends/webgpu/card.ts'
import type { CardWanted } from '../protocol/kernel.ts'

/** An adapter as the browser describes it. */
export interface BrowserAdapter extends Adapter {
  isFallbackAdapter?: boolean
  info: { vendor: string; architecture: string; device: string; description: string; isFallbackAdapter?: boolean }
}

const gpu = () => (navigator as unknown as { gpu?: Gpu }).gpu

let wanted: CardWanted = { power: 'high-performance', losses: 0 }
let refused = ''

/** Has the wanted card opened from now on. */
export function chooseCard(card: CardWanted): void {
  wanted = card
}

/** The adapter of this browser, the wanted one where there are two; null where there is none. */
export async function findAdapter(power: Power = wanted.power): Promise<BrowserAdapter | null> {
  const found = await gpu()
    ?.requestAdapter({ powerPreference: power })
    .catch(() => null)
  return (found as BrowserAdapter | null | undefined) ?? null
}

/** Opens the graphics card through the browser. Throws MixlabError `backend` where there is none. */
export async function openCard(): Promise<OpenedCard> {
  const card = await openAdapter(gpu(), wanted.power)
  refused = card.refused ?? ''
  return { ...card, losses: wanted.losses }
}

/** What the card refused when it was opened, in a sentence, once; '' where nothing. */
export function takeRefused(): string {
  const text = refused
  refused = ''
  return text
}
