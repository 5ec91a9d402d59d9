import { type GpuDevice, USE } from './gpu.ts'

/** The reason of a device loss where the system gives none. */
export const DEVICE_LOST_REASON = 'the system took it away'

/** Whether a device is lost. Its calls may fail, with messages of their own, before its promise `lost` resolves. */
export async function isDeviceLost(device: Pick<GpuDevice, 'createBuffer'>): Promise<boolean> {
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
