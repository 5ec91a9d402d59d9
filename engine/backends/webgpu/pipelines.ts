import type { GpuDevice } from './gpu.ts'

/** The most masks that a program draws on the card. */
export const MOST_DRAWS = 1022

/** Pipelines of a card by their shader; programs of one model have most of them in common. */
interface Kept {
  layout: object
  pipelineLayout: object
  pipelines: Map<string, object>
}

const cards = new WeakMap<GpuDevice, Kept>()

/** The pipelines of shaders, all of one layout: floats, ints, what a dispatch is told, and draws. */
export function pipelinesOf(card: GpuDevice, shaders: string[]): { layout: object; pipelines: object[] } {
  const kept = cards.get(card) ?? keep(card)
  const pipelines = shaders.map((code) => {
    const known = kept.pipelines.get(code)
    if (known) return known
    const module = card.createShaderModule({ code })
    const compute = { module, entryPoint: 'main' }
    const pipeline = card.createComputePipeline({ layout: kept.pipelineLayout, compute })
    kept.pipelines.set(code, pipeline)
    return pipeline
  })
  return { layout: kept.layout, pipelines }
}

/** Has the pipelines of shaders made anew when they are next asked for. */
export function forget(card: GpuDevice, shaders: string[]): void {
  for (const code of shaders) cards.get(card)?.pipelines.delete(code)
}

function keep(card: GpuDevice): Kept {
  const entry = (binding: number, buffer: object) => ({ binding, visibility: 4, buffer })
  const layout = card.createBindGroupLayout({
    entries: [
      entry(0, { type: 'storage' }),
      entry(1, { type: 'storage' }),
      entry(2, { type: 'uniform', hasDynamicOffset: true }),
      entry(3, { type: 'uniform' }),
    ],
  })
  const pipelineLayout = card.createPipelineLayout({ bindGroupLayouts: [layout] })
  const kept = { layout, pipelineLayout, pipelines: new Map() }
  cards.set(card, kept)
  return kept
}
