import { readFileSync } from 'node:fs'
import { type NamedTensor, readSafetensors } from '../../../engine/weights/safetensors.ts'

/** A reference case: its tensors by name, and its configuration. */
export interface Case {
  config: Record<string, unknown>
  metadata: Record<string, string>
  tensor(name: string): NamedTensor
  /** Tensors whose name starts with `prefix`, without it. */
  below(prefix: string): Map<string, NamedTensor>
}

export function readCase(name: string): Case {
  const { tensors, metadata } = readSafetensors(
    readFileSync(new URL(`../../golden/${name}.safetensors`, import.meta.url)),
    name,
  )
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  return {
    config: JSON.parse(metadata.config ?? '{}'),
    metadata,
    tensor: (name) => {
      const found = byName.get(name)
      if (!found) throw new Error(`no tensor '${name}'`)
      return found
    },
    below: (prefix) =>
      new Map(
        tensors
          .filter((tensor) => tensor.name.startsWith(prefix))
          .map((tensor) => [tensor.name.slice(prefix.length), tensor]),
      ),
  }
}

/** max |a - b| / max |b|. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0
  let largest = 0
  for (let i = 0; i < b.length; i++) {
    difference = Math.max(difference, Math.abs((a[i] as number) - (b[i] as number)))
    largest = Math.max(largest, Math.abs(b[i] as number))
  }
  return difference / largest
}
