import * as tf from '@tensorflow/tfjs-core'

/** What the backends call the bytes that they hold for tensors and programs, on the card where they compute there. */
const HELD = ['heapBytes', 'numBytesAllocatedInGPU', 'numBytesInGPUAllocated'] as const

/** Tensors alive, and the bytes that the current backend holds for them and for programs. */
export function heldMemory(): { tensors: number; bytes: number } {
  const { numTensors, numBytes, ...held } = tf.memory() as tf.MemoryInfo &
    Partial<Record<(typeof HELD)[number], number>>
  const known = HELD.find((name) => held[name] !== undefined)
  return { tensors: numTensors, bytes: (known && held[known]) ?? numBytes }
}
