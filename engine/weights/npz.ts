import { unzipSync, zipSync } from 'fflate'
import { MixlabError, quoted } from '../errors.ts'
import { readNpy, writeNpy } from './npy.ts'
import type { NamedTensor } from './safetensors.ts'

const NPY = '.npy'
/** Bytes that a byte of a deflated file can become at most. */
const MOST_INFLATED = 1032
/** Bytes of all that is in a file together. */
const LARGEST = 2 ** 32

export interface NpzFile {
  tensors: NamedTensor[]
  /** The other files in it, by name. */
  metadata: Record<string, string>
}

/** Tensors as numpy's `savez` writes them, and texts beside them, which `numpy.load` gives as bytes. */
export function writeNpz(tensors: NamedTensor[], metadata: Record<string, string> = {}): Uint8Array {
  const arrays = tensors.map((tensor) => [tensor.name + NPY, writeNpy(tensor)])
  const texts = Object.entries(metadata).map(([name, text]) => [name, new TextEncoder().encode(text)])
  return zipSync(Object.fromEntries([...arrays, ...texts]), { level: 0, mtime: '1980-01-01T00:00:00' })
}

/** Reads an .npz file, compressed or not. Throws MixlabError `weights` naming what is wrong; `source` names the file. */
export function readNpz(file: Uint8Array, source = 'weights'): NpzFile {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const entries = Object.entries(unzipped(file, fail))
  if (entries.length === 0) throw fail('has nothing in it')
  const tensors: NamedTensor[] = []
  const metadata: Record<string, string> = {}
  for (const [name, bytes] of entries) {
    if (!name.endsWith(NPY)) metadata[name] = new TextDecoder().decode(bytes)
    else tensors.push({ name: name.slice(0, -NPY.length), ...readNpy(bytes, `${source}: ${quoted(name)}`) })
  }
  return { tensors, metadata }
}

function unzipped(file: Uint8Array, fail: (what: string) => MixlabError): Record<string, Uint8Array> {
  let whole = 0
  try {
    return unzipSync(file, {
      filter: ({ name, size, originalSize }) => {
        whole += originalSize
        const impossible = originalSize > size * MOST_INFLATED + MOST_INFLATED || size > file.length
        if (impossible || whole > LARGEST) throw fail(`says that ${quoted(name)} has ${originalSize} bytes`)
        return true
      },
    })
  } catch (error) {
    throw error instanceof MixlabError ? error : fail('is no .npz file, or damaged')
  }
}
