import type { GpuDevice } from './gpu.ts'
import type { Pages } from './pages.ts'
import { FIRST_PAGE, header } from './wgsl/header.ts'

/** The pipelines of a card for plans of so many pages, and programs of so many lanes, by their shader; programs of one model have most of them in common. */
interface CachedPipelines {
  layout: object
  pipelineLayout: object
  pipelines: Map<string, object>
}

/** Of each card by the header of the shaders, which differs with pages and lanes. */
const cards = new WeakMap<GpuDevice, Map<string, CachedPipelines>>()

/** The pipelines of shaders, all of one layout: integers, the uniforms of a dispatch and of a step, and the pages of floats. */
export function pipelinesOf(
  card: GpuDevice,
  shaders: string[],
  pages: Pages,
  lanes = 1,
): { layout: object; pipelines: object[] } {
  const before = header(pages, lanes)
  const kept = keptFor(card, before, pages.seen)
  const pipelines = shaders.map((code) => {
    const known = kept.pipelines.get(code)
    if (known) return known
    const module = card.createShaderModule({ code: before + code })
    const compute = { module, entryPoint: 'main' }
    const pipeline = card.createComputePipeline({ layout: kept.pipelineLayout, compute })
    kept.pipelines.set(code, pipeline)
    return pipeline
  })
  return { layout: kept.layout, pipelines }
}

/** Has the pipelines of shaders made anew when they are next asked for. */
export function forget(card: GpuDevice, shaders: string[]): void {
  for (const { pipelines } of cards.get(card)?.values() ?? []) for (const code of shaders) pipelines.delete(code)
}

function keptFor(card: GpuDevice, before: string, pages: number): CachedPipelines {
  const own = cards.get(card) ?? new Map<string, CachedPipelines>()
  cards.set(card, own)
  const known = own.get(before)
  if (known) return known
  const entry = (binding: number, buffer: object) => ({ binding, visibility: 4, buffer })
  const layout = card.createBindGroupLayout({
    entries: [
      entry(0, { type: 'storage' }),
      entry(1, { type: 'uniform', hasDynamicOffset: true }),
      entry(2, { type: 'uniform' }),
      ...Array.from({ length: pages }, (_, page) => entry(FIRST_PAGE + page, { type: 'storage' })),
    ],
  })
  const pipelineLayout = card.createPipelineLayout({ bindGroupLayouts: [layout] })
  const made = { layout, pipelineLayout, pipelines: new Map() }
  own.set(before, made)
  return made
}
