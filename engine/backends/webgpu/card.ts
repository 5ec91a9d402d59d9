import { MixlabError, messageOf } from '../../errors.ts'
import { isDeviceLost } from './deviceLost.ts'
import type { GpuDevice } from './gpu.ts'

/** A graphics card as WebGPU offers it. */
export interface Adapter {
  readonly limits: object
  readonly features: { has(name: string): boolean }
  readonly info: object
  requestDevice(options: { requiredFeatures: string[]; requiredLimits: Record<string, number> }): Promise<GpuDevice>
}

/** Which of two cards: the faster one, or the one that saves power. */
export const POWER = ['high-performance', 'low-power'] as const
export type Power = (typeof POWER)[number]

/** `navigator.gpu`, or what stands for it. */
export interface Gpu {
  requestAdapter(options: { powerPreference: Power }): Promise<Adapter | null>
}

/** An opened graphics card. */
export interface OpenedCard {
  device: GpuDevice
  /** `GPUAdapterInfo`, which the stock backend reads. */
  info?: object | undefined
  /** What the card has but did not give, in a sentence; '' or left out where it gave all. */
  refused?: string
  /** How often a card was lost in what is trained now; 0 where it is left out. */
  losses?: number
  /** Floats that the values of a part of a batch may take, see train/parts.ts; in tests fewer than are usual. */
  partFloats?: number
}

/** Limits of WebGPU that are asked for as high as the adapter has them. */
const LIMITS = [
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const

/** What is asked for, one after the other until a card gives it: limits up to `most`, in the end those of every card. */
const ASKED = [
  { features: ['timestamp-query'], most: Number.POSITIVE_INFINITY, without: '' },
  { features: [], most: Number.POSITIVE_INFINITY, without: 'timestamps' },
  { features: ['timestamp-query'], most: 2 ** 30, without: 'buffers of more than 1 GiB' },
  { features: [], most: 2 ** 30, without: 'timestamps and buffers of more than 1 GiB' },
  { features: [], most: 0, without: 'more than every card has' },
]

/**
 * Opens a graphics card. One that refuses what it says to have, or is lost at once, is asked again for less. Throws
 * MixlabError `backend` where there is none, or it refuses everything.
 */
export async function openAdapter(gpu: Gpu | undefined, power: Power = 'high-performance'): Promise<OpenedCard> {
  let why = ''
  for (const { features, most, without } of ASKED) {
    const adapter = await gpu?.requestAdapter({ powerPreference: power }) // one that has refused may be used up
    if (!adapter) throw new MixlabError('backend', '', 'finds no graphics card')
    const own = adapter.limits as Record<string, number>
    const limits = most === 0 ? [] : LIMITS.map((name) => [name, Math.min(own[name] as number, most)])
    const requiredFeatures = features.filter((name) => adapter.features.has(name))
    try {
      const device = await adapter.requestDevice({ requiredFeatures, requiredLimits: Object.fromEntries(limits) })
      if (await isDeviceLost(device)) throw new Error('it was lost at once')
      const refused = without && `the graphics card refuses ${without} (${why}) and is used without`
      return { device, info: adapter.info, refused }
    } catch (error) {
      why ||= messageOf(error).split('\n')[0] as string
    }
  }
  throw new MixlabError('backend', '', `finds a graphics card, which cannot be opened: ${why}`)
}
