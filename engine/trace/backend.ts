import * as tf from '@tensorflow/tfjs-core'
import { rules } from './kernels.ts'

/** Called for every operation while it is traced. */
export type Observer = (kernel: string, macs: number) => void

let observe: Observer = () => {}

/** A tfjs backend whose tensors have a shape and no values; it only counts who refers to them. */
class TraceBackend extends tf.KernelBackend {
  private references = new Map<object, number>()
  override write(): object {
    const id = {}
    this.references.set(id, 1)
    return id
  }
  override refCount(id: object): number {
    return this.references.get(id) ?? 0
  }
  override incRef(id: object): void {
    this.references.set(id, this.refCount(id) + 1)
  }
  override disposeData(id: object): boolean {
    const left = this.refCount(id) - 1
    if (left > 0) this.references.set(id, left)
    else this.references.delete(id)
    return left <= 0
  }
  override numDataIds(): number {
    return this.references.size
  }
  override floatPrecision(): 32 {
    return 32
  }
  override epsilon(): number {
    return 1e-7
  }
  override memory(): { unreliable: boolean } {
    return { unreliable: false }
  }
  override readSync(): never {
    throw new Error('a traced tensor has no values; a block must not read them')
  }
  override read(): never {
    return this.readSync()
  }
}

function register(): void {
  if (tf.findBackend('trace') || tf.findBackendFactory('trace')) return
  tf.registerBackend('trace', () => new TraceBackend(), 0)
  for (const [kernelName, rule] of Object.entries(rules)) {
    tf.registerKernel({
      kernelName,
      backendName: 'trace',
      kernelFunc: ({ inputs, attrs, backend }) => {
        const { outputs, macs } = rule(inputs, attrs ?? {})
        observe(kernelName, macs ?? 0)
        const infos = outputs.map(({ shape, dtype }) => ({
          dataId: (backend as TraceBackend).write(),
          shape,
          dtype,
        }))
        return infos.length === 1 ? (infos[0] as tf.TensorInfo) : infos
      },
    })
  }
}

/** Runs `body` with the shape-only backend, telling `observer` of every operation; nothing is allocated. */
export async function tracing(observer: Observer, body: () => void): Promise<void> {
  register()
  const previous = tf.engine().backendName
  await tf.setBackend('trace')
  observe = observer
  try {
    tf.tidy(() => {
      body()
    })
  } finally {
    observe = () => {}
    if (previous) await tf.setBackend(previous)
  }
}
