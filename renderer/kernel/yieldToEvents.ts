const { port1, port2 } = new MessageChannel()
const waiting: (() => void)[] = []
port1.onmessage = () => waiting.shift()?.()

/** Yields to waiting messages, so that an interrupt arrives while the processor is busy; unlike a timer, without delay. */
export function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    port2.postMessage(null)
  })
}
