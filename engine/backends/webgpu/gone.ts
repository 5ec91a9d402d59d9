import { type GpuDevice, USE } from './gpu.ts'

/** Why, where the system does not say. */
export const GONE = 'the system took it away'

/** Whether a device answers no more. What was asked of it may fail before `lost` tells, in words of its own. */
export async function isGone(device: Pick<GpuDevice, 'createBuffer'>): Promise<boolean> {
  try {
    const probe = device.createBuffer({ size: 4, usage: USE.copyTo | USE.mapRead })
    await probe.mapAsync(1)
    probe.unmap()
    probe.destroy()
    return false
  } catch {
    return true
  }
}
