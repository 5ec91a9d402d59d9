import * as tf from '@tensorflow/tfjs'
import { GONE, isGone } from '../../engine/backends/webgpu/gone.ts'
import type { GpuDevice } from '../../engine/backends/webgpu/gpu.ts'

/** What errors say whose cause is a device that is gone or has no memory left, whoever throws them. */
const SAYS_SO =
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
  void device?.lost.then(({ message }) => note(message || GONE))
  gpgpu?.gl.canvas.addEventListener('webglcontextlost', () => note('its context was lost'))
}

/**
 * Why the graphics device cannot be trusted any more; null while it can, and on the processor. `failure` is what a run is
 * about to fail with: it may be the first to tell.
 */
export async function lossOf(failure: string | null): Promise<string | null> {
  if (!CARDS.includes(tf.getBackend())) return null
  await new Promise((resolve) => setTimeout(resolve)) // what is lost is told by events
  if (reason === null && parts().gpgpu?.gl.isContextLost()) reason = 'its context was lost'
  if (reason === null && failure !== null && SAYS_SO.test(failure)) reason = plainly(failure)
  const { device } = parts()
  if (reason === null && failure !== null && device && (await isGone(device))) reason = GONE
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
