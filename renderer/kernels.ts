// The page of the hidden window of the desktop application, in which kernels live. It shows nothing.
import { createKernels } from './hidden/kernels.ts'
import { connectHost } from './host/connectHost.ts'
import { desktop } from './host/desktop.ts'
import { openLink, portLink } from './host/link.ts'

const LOOK = 500 // ms

const kernels = createKernels((signal) => connectHost(openLink, signal))
let told: number | null = null

window.addEventListener('message', ({ data, source, ports: [port] }) => {
  if (source !== window) return
  if (data === 'mixlab:page' && port) kernels.serve(portLink(port))
  const [, end] = /^mixlab:end-training:(leave|stop)$/.exec(String(data)) ?? []
  if (end === 'leave' || end === 'stop') void kernels.stop(end).then(() => desktop()?.trainingEnded())
})
window.postMessage('mixlab:pages?', location.origin)

/** Tells the system of training where that has changed. */
function tell(): void {
  const fraction = kernels.fraction()
  if (fraction !== told) desktop()?.showTraining(fraction)
  told = fraction
}

async function beginLooking(): Promise<void> {
  for (;;) {
    await kernels.look().catch(() => {}) // the workspace is not there
    tell()
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}
void beginLooking()
