import type { GpuDevice } from '../../../../engine/backends/webgpu/gpu.ts'
import { watched } from '../../../../engine/bench/counted.ts'

/** A device that allows less than it could. */
export function limited(device: GpuDevice, limits: Partial<GpuDevice['limits']>): GpuDevice {
  return watched(device, { limits: watched(device.limits, limits) })
}
