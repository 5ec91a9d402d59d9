import type { SpawnAugmenter } from '../../engine/data/augment/thread.ts'

const { Worker } = globalThis // cells have none, see forbiddenGlobals.ts

/** Starts a thread that augments training batches; it ends with the kernel at the latest. */
const spawn: SpawnAugmenter = () =>
  new Promise((ready, fail) => {
    const thread = new Worker(new URL('./kernel-augment.ts', import.meta.url), { type: 'module' })
    thread.onerror = () => fail(new Error('the augmenting thread does not start'))
    thread.onmessage = () =>
      ready({
        post: (message, buffers) => thread.postMessage(message, buffers),
        listen: (receive, broken) => {
          thread.onmessage = ({ data }) => receive(data)
          thread.onerror = ({ message }) => broken(new Error(message))
          thread.onmessageerror = () => broken(new Error('its answer cannot be read'))
        },
        end: () => thread.terminate(),
      })
  })

/** The same; as many of them as there are cores where it takes them. */
export const spawnAugmenter: SpawnAugmenter = Object.assign(spawn, { most: navigator.hardwareConcurrency })
