import { useKernel } from './state.ts'

/** Resolves once no kernel is about to start: what the page only will need later, such as editors, is loaded after it. */
export function kernelSettled(): Promise<void> {
  return new Promise((resolve) => {
    const stop = useKernel.subscribe(look)
    look(useKernel.getState())
    function look({ phase }: { phase: string }): void {
      if (phase === 'starting') return
      stop()
      resolve()
    }
  })
}
