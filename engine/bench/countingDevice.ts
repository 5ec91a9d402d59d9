import type { GpuDevice } from '../backends/webgpu/gpu.ts'

/** What a card has been asked for. */
export interface GpuUsage {
  buffers: number
  submits: number
  dispatches: number
}

/** The same object with some properties of its own. */
export function watched<T extends object>(target: T, own: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (name in own) return own[name as keyof T]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The same device; what it is asked for is added to `asked`. */
export function countingDevice(device: GpuDevice, asked: GpuUsage): GpuDevice {
  const { queue } = device
  const watchedQueue = watched(queue, {
    submit: (commands: object[]) => {
      asked.submits++
      queue.submit(commands)
    },
  })
  return watched(device, {
    queue: watchedQueue,
    createBuffer: (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      asked.buffers++
      return device.createBuffer(description)
    },
    createCommandEncoder: () => {
      const encoder = device.createCommandEncoder()
      return watched(encoder, {
        beginComputePass: (options?: object) => {
          const pass = encoder.beginComputePass(options)
          return watched(pass, {
            dispatchWorkgroups: (x: number, y: number, z: number) => {
              asked.dispatches++
              pass.dispatchWorkgroups(x, y, z)
            },
          })
        },
        finish: () => encoder.finish(),
      })
    },
  })
}
