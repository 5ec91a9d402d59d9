// The page of the hidden window of the desktop application, in which kernels live. It shows nothing.
import { createKernels } from './hidden/kernels.ts'
import { connectHost } from './host/connectHost.ts'
import { desktop } from './host/desktop.ts'
import { openLink, portLink } from './host/link.ts'

const POLL_MS = 500 // ms

const kernels = createKernels((signal) => connectHost(openLink, signal))
let lastReported: number | null = null

window.addEventListener('message', ({ data, source, ports: [port] }) => {
  if (source !== window) return
  if (data === 'mixlab:page' && port) kernels.serve(portLink(port))
  const [, end] = /^mixlab:end-training:(leave|stop)$/.exec(String(data)) ?? []
  if (end === 'leave' || end === 'stop') void kernels.stop(end).then(() => desktop()?.trainingEnded())
})
window.postMessage('mixlab:pages?', location.origin)

/** Reports the progress of training to main where it has changed. */
function reportTraining(): void {
  const fraction = kernels.fraction()
  if (fraction !== lastReported) desktop()?.showTraining(fraction)
  lastReported = fraction
}

async function pollStartedCells(): Promise<void> {
  for (;;) {
    await kernels.look().catch(() => {}) // the workspace is not there
    reportTraining()
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
void pollStartedCells()
