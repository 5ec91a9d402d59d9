import { MixlabError, messageOf } from '../../errors.ts'
import { isGone } from './gone.ts'
import type { GpuDevice } from './gpu.ts'
import { mebibytes } from './pages.ts'

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
  /** What the card has but did not give, in a sentence; null or left out where it gave all. */
  refused?: string | null
  /** How often a card was lost in what is trained now; 0 where it is left out. */
  losses?: number
}

/** Limits of WebGPU that are asked for, and what every card has of them. */
const LIMITS = {
  maxStorageBufferBindingSize: 2 ** 27,
  maxBufferSize: 2 ** 28,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupStorageSize: 2 ** 14,
  maxComputeWorkgroupsPerDimension: 65_535,
  maxComputeWorkgroupSizeX: 256,
  maxComputeInvocationsPerWorkgroup: 256,
}
type Limits = Record<keyof typeof LIMITS, number>

/** What is asked for, one after the other until a card gives it: how much of each limit that it says to have. */
const ASKED: ((own: Limits) => Limits)[] = [
  (own) => own,
  (own) => ({ ...own, maxStorageBufferBindingSize: gibibyte(own), maxBufferSize: gibibyte(own) }),
  () => LIMITS,
]

/** Bytes of a buffer of one GiB, or of the largest that a card has. */
const gibibyte = ({ maxStorageBufferBindingSize, maxBufferSize }: Limits) =>
  Math.min(2 ** 30, maxStorageBufferBindingSize, maxBufferSize)

/**
 * Opens a graphics card. One that refuses its own limits or timestamps is asked again with less. Throws MixlabError
 * `backend` where there is none, or it refuses everything.
 */
export async function openAdapter(gpu: Gpu | undefined, power: Power = 'high-performance'): Promise<OpenedCard> {
  let why = ''
  for (const asked of ASKED) {
    for (const timestamps of [['timestamp-query'], []]) {
      const adapter = await gpu?.requestAdapter({ powerPreference: power }) // one that has refused may be used up
      if (!adapter) throw new MixlabError('backend', '', 'finds no graphics card')
      const requiredFeatures = timestamps.filter((name) => adapter.features.has(name))
      const own = adapter.limits as Limits
      const limits = asked(own)
      const requiredLimits = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, limits[name as keyof Limits]]))
      try {
        const device = await adapter.requestDevice({ requiredFeatures, requiredLimits })
        if (await isGone(device)) throw new Error('it was lost at once')
        const refused = refusedText(own, limits, timestamps.length < 1 && adapter.features.has('timestamp-query'), why)
        return { device, info: adapter.info, refused }
      } catch (error) {
        why ||= messageOf(error).split('\n')[0] ?? ''
        if (requiredFeatures.length === 0) break
      }
    }
  }
  throw new MixlabError('backend', '', `finds a graphics card, which cannot be opened: ${why}`)
}

function refusedText(own: Limits, limits: Limits, timestamps: boolean, why: string): string | null {
  if (why === '') return null
  const less = own.maxStorageBufferBindingSize > limits.maxStorageBufferBindingSize
  const buffers = `buffers of more than ${mebibytes(limits.maxStorageBufferBindingSize)} MiB`
  const what = [...(less ? [buffers] : []), ...(timestamps ? ['timestamps'] : [])].join(' and ')
  return `the graphics card refuses ${what || 'some of its limits'} (${why}) and is used without`
}
