import * as tf from '@tensorflow/tfjs'
import { DEVICE_LOST_REASON, isDeviceLost } from '../../engine/backends/webgpu/deviceLost.ts'
import type { GpuDevice } from '../../engine/backends/webgpu/gpu.ts'

/** Messages of errors that are caused by a lost device, or by one without memory left. */
const LOSS_MESSAGES =
  /(device|context|gpu).{0,20}\b(lost|destroyed|hung|reset)|external Instance|compile \w+ shader|link shaders|out of memory/i
const CARDS = ['webgpu', 'webgl']
let reason: string | null = null

/** Calls `report`, once, when the graphics device of the current backend is lost; tfjs itself goes on with wrong numbers. */
export function watchDevice(report: (why: string) => void): void {
  const note = (why: string) => {
    if (reason === null) report(plainly(why))
    reason ??= plainly(why)
  }
  const { device, gpgpu } = parts()
  void device?.lost.then(({ message }) => note(message || DEVICE_LOST_REASON))
  gpgpu?.gl.canvas.addEventListener('webglcontextlost', () => note('its context was lost'))
}

/**
 * Why the graphics device cannot be trusted any more; null while it can, and on the processor. `failure` is what a run is
 * about to fail with: it may be the first sign of the loss.
 */
export async function lossOf(failure: string | null): Promise<string | null> {
  if (!CARDS.includes(tf.getBackend())) return null
  await new Promise((resolve) => setTimeout(resolve)) // a loss arrives as an event
  if (reason === null && parts().gpgpu?.gl.isContextLost()) reason = 'its context was lost'
  if (reason === null && failure !== null && LOSS_MESSAGES.test(failure)) reason = plainly(failure)
  const { device } = parts()
  if (reason === null && failure !== null && device && (await isDeviceLost(device))) reason = DEVICE_LOST_REASON
  return reason
}

/** What Dawn says of a crash, in words for people. */
function plainly(why: string): string {
  if (/external Instance|GPU process/i.test(why)) return 'its process ended'
  if (/out of memory/i.test(why)) return 'its memory is full'
  if (/destroyed/i.test(why)) return 'it was given up'
  return why
}

/** What tfjs computes with on a card. */
function parts() {
  return tf.backend() as unknown as {
    device?: GpuDevice
    gpgpu?: { gl: { canvas: EventTarget; isContextLost(): boolean } }
  }
}
