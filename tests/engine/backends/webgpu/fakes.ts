import type { Adapter, Gpu } from '../../../../engine/backends/webgpu/card.ts'
import { type GpuDevice, USE } from '../../../../engine/backends/webgpu/gpu.ts'
import { watched } from '../../../../engine/bench/countingDevice.ts'

/** A card with something that real ones have, made of one that checks everything and computes nothing. */
export interface FakeCard {
  name: string
  limits?: Partial<GpuDevice['limits']>
  /** Why it refuses what it is asked for; null where it does not. */
  refuses?(asked: Asked): string | null
  /** It is lost as soon as it is given. */
  isDead?(asked: Asked): boolean
  /** Milliseconds of a dispatch; after 2 s of one submission the system takes the card away. */
  dispatchMs?: number
  /** Bytes that its buffers may take together. */
  memory?: number
  /** Bytes of the largest buffer that it has room for. */
  room?: number
  /** What is wrong with a submission after so many dispatches. */
  fault?: { kind: Scope['kind']; after: number }
  /** Every number that is read from it; 0 where left out. */
  reads?: number
}

/** A scope of errors that is open, and the first error in it. */
interface Scope {
  kind: Parameters<GpuDevice['pushErrorScope']>[0]
  message: string
}

interface Asked {
  requiredFeatures: string[]
  requiredLimits: Record<string, number>
}

/** What has happened on the cards of a test. */
export interface Happened {
  asked: Asked[]
  /** Dispatches of each submission. */
  submissions: number[]
  /** Bytes of each buffer that was made. */
  buffers: number[]
  /** Virtual milliseconds that the cards were at work. */
  ms: number
  losses: number
}

/** A device that allows less than it could. */
export function limited(device: GpuDevice, limits: Partial<GpuDevice['limits']>): GpuDevice {
  return watched(device, { limits: watched(device.limits, limits) })
}

/** The cards of a machine: the first is the faster one, the last saves power. */
export function fakeGpu(real: Gpu, cards: FakeCard[], happened: Happened): Gpu {
  return {
    requestAdapter: async ({ powerPreference }) => {
      const card = cards.at(powerPreference === 'low-power' ? -1 : 0)
      const adapter = card && (await real.requestAdapter({ powerPreference }))
      if (!adapter) return null
      const { name, limits = {}, refuses = () => null, isDead = () => false } = card
      return watched<Adapter>(adapter, {
        info: { vendor: '', architecture: '', device: '', description: name },
        features: { has: () => true },
        limits: watched(adapter.limits, limits),
        requestDevice: async (asked: Asked) => {
          happened.asked.push(asked)
          const why = refuses(asked)
          if (why !== null) throw new Error(why)
          const given = await adapter.requestDevice({ requiredFeatures: [], requiredLimits: {} })
          if (isDead(asked)) given.destroy()
          const device = watched(given, {
            features: { has: (feature: string) => asked.requiredFeatures.includes(feature) },
          })
          return atWork(limited(device, limits), card, happened)
        },
      })
    },
  }
}

/** The device, whose submissions take virtual time. */
function atWork(device: GpuDevice, card: FakeCard, happened: Happened): GpuDevice {
  const { dispatchMs = 0, reads = 0, fault } = card
  const { memory = Number.POSITIVE_INFINITY, room = memory } = card
  const scopes: Scope[] = []
  const say = (kind: Scope['kind'], message: string) => {
    const scope = scopes.findLast((each) => each.kind === kind)
    if (scope) scope.message ||= message
  }
  let held = 0
  let dispatched = 0
  const dispatches = new WeakMap<object, number>()
  const { queue } = device
  let until = 0
  let isLost = false
  return watched(device, {
    pushErrorScope: (kind: Scope['kind']) => {
      scopes.push({ kind, message: '' })
      device.pushErrorScope(kind)
    },
    popErrorScope: async () => {
      const message = scopes.pop()?.message
      const found = await device.popErrorScope()
      return found ?? (message ? { message } : null)
    },
    createBuffer: (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      happened.buffers.push(description.size)
      held += description.size
      if (held > memory || description.size > room) say('out-of-memory', 'no memory is left')
      const buffer = device.createBuffer(description)
      if (!(description.usage & USE.mapRead)) return buffer
      // what a card that computes nothing has there is what the memory had before
      return Object.assign(buffer, { getMappedRange: () => new Float32Array(description.size / 4).fill(reads).buffer })
    },
    createCommandEncoder: () => {
      const encoder = device.createCommandEncoder()
      let count = 0
      return watched(encoder, {
        beginComputePass: (options?: object) => {
          const pass = encoder.beginComputePass(options)
          return watched(pass, {
            dispatchWorkgroups: (x: number, y: number, z: number) => {
              count++
              pass.dispatchWorkgroups(x, y, z)
            },
          })
        },
        finish: () => {
          const commands = encoder.finish()
          dispatches.set(commands, count)
          return commands
        },
      })
    },
    queue: watched(queue, {
      submit: (commands: object[]) => {
        queue.submit(commands)
        const count = commands.reduce((sum, each) => sum + (dispatches.get(each) ?? 0), 0)
        if (count > 0) happened.submissions.push(count)
        dispatched += count
        if (fault && dispatched > fault.after) say(fault.kind, 'something is wrong')
        until = Math.max(until, happened.ms) + count * dispatchMs
        if (isLost || count * dispatchMs <= 2000) return
        isLost = true
        happened.losses++
        device.destroy()
      },
      onSubmittedWorkDone: async () => {
        const end = until
        await queue.onSubmittedWorkDone()
        happened.ms = Math.max(happened.ms, end)
      },
    }),
  })
}
