import { type Gpu, type OpenedCard, openAdapter } from '../../engine/backends/webgpu/card.ts'

/** Opens the graphics card through the browser. Throws MixlabError `backend` where there is none. */
export function openCard(): Promise<OpenedCard> {
  return openAdapter((navigator as unknown as { gpu?: Gpu }).gpu)
}
