import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { currentScopes } from '../nn/scope.ts'
import { fusedRules, rules } from './kernels.ts'
import type { KernelCall, Recorder, Recording } from './recorder.ts'
import type { ShapeRule } from './rule.ts'

export interface TracingOptions {
  /** With the kernels that only some backends have (see engine/nn/fused.ts). */
  fused?: boolean
  /** Constants up to this many values keep them, so that code may read what it wrote. */
  held?: number
}

/** The data of tensors; also what tfjs knows them by. */
interface Buffer {
  references: number
  bytes: number
  values: tf.BackendValues | null
  /** The tensors that kernels made of it, last first; an array for each buffer would take many times the memory. */
  made: Made | null
}

interface Made {
  tensor: tf.Tensor
  before: Made | null
}

/** A tfjs backend whose tensors have a shape and no values; it counts who refers to them, and how large they would be. */
class TraceBackend extends tf.KernelBackend implements Recorder {
  private readonly held: number
  /** Called when a variable gets a value. */
  private readonly check: () => void
  private buffers = new Set<object>()
  private observe: ((call: KernelCall) => void) | undefined
  private dispatches = 0
  private live = 0
  private peak = 0

  constructor(held: number, check: () => void) {
    super()
    this.held = held
    this.check = check
  }

  record(run: () => void, observe?: (call: KernelCall) => void): Recording {
    const before = this.live
    this.peak = this.live
    this.dispatches = 0
    this.observe = observe
    try {
      run()
    } finally {
      this.observe = undefined
    }
    return { dispatches: this.dispatches, peak: this.peak - before }
  }

  /** Gives what a kernel would give, without doing it. */
  run(
    kernel: string,
    rule: ShapeRule,
    inputs: tf.NamedTensorInfoMap,
    attributes: tf.NamedAttrMap,
  ): tf.Tensor | tf.Tensor[] {
    const given = Object.values(inputs).filter((input) => input) as tf.Tensor[]
    const { output, macs = 0, view = false } = rule(inputs, attributes)
    const described = Array.isArray(output) ? output : [output]
    const results = described.map(({ shape, dtype }) => {
      const buffer = (view && this.share(given[0]?.dataId)) || this.allocate(shape, dtype, null)
      const tensor = tf.engine().makeTensorFromTensorInfo({ dataId: buffer, shape, dtype }, this)
      buffer.made = { tensor, before: buffer.made }
      return tensor
    })
    if (!view) this.dispatches++
    this.observe?.({
      kernel,
      inputs: given.map(({ id }) => id),
      outputs: results.map(({ id }) => id),
      shapes: described.map(({ shape }) => shape),
      macs,
      view,
      scopes: currentScopes(),
      operands: inputs,
      attributes,
      results,
    })
    return Array.isArray(output) ? results : (results[0] as tf.Tensor)
  }

  valuesOf({ dataId }: tf.TensorInfo): tf.BackendValues | null {
    return this.find(dataId)?.values ?? null
  }

  /** Disposes whatever kernels made; tfjs leaves tensors behind when a gradient throws. */
  clear(): void {
    for (const buffer of [...this.buffers] as Buffer[]) {
      for (let made = buffer.made; made; made = made.before) made.tensor.dispose()
    }
  }

  private allocate(shape: number[], dtype: tf.DataType, values: tf.BackendValues | null): Buffer {
    const size = tf.util.sizeFromShape(shape)
    const bytes = size * (dtype === 'string' ? 1 : tf.util.bytesPerElement(dtype))
    const buffer = { references: 1, bytes, values: size <= this.held ? values : null, made: null }
    this.buffers.add(buffer)
    this.live += bytes
    this.peak = Math.max(this.peak, this.live)
    return buffer
  }

  /** The same values once more; null for those of another backend, which counts its own references. */
  private share(id: object | undefined): Buffer | null {
    const buffer = this.find(id)
    if (buffer) buffer.references++
    return buffer
  }

  private find(id: object | undefined): Buffer | null {
    return id && this.buffers.has(id) ? (id as Buffer) : null
  }

  override write(values: tf.BackendValues, shape: number[], dtype: tf.DataType): object {
    return this.allocate(shape, dtype, values)
  }
  override refCount(id: object): number {
    return this.find(id)?.references ?? 0
  }
  override incRef(id: object): void {
    this.share(id)
    this.check()
  }
  override disposeData(id: object): boolean {
    const buffer = this.find(id)
    if (!buffer) return true
    buffer.references--
    if (buffer.references > 0) return false
    this.buffers.delete(id)
    this.live -= buffer.bytes
    return true
  }
  override numDataIds(): number {
    return this.buffers.size
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
  override dispose(): void {}
  override readSync(id: object): tf.BackendValues {
    const values = this.find(id)?.values
    if (!values) {
      throw new MixlabError('option', '', 'reads values of a tensor')
    }
    return values
  }
  override async read(id: object): Promise<tf.BackendValues> {
    return this.readSync(id)
  }
}

/** Registers the rules as the kernels of the backend `name`, once. */
function registerKernels(name: string, fused: boolean): void {
  if (tf.getKernel('Identity', name)) return
  for (const [kernelName, rule] of Object.entries({ ...rules, ...(fused ? fusedRules : {}) })) {
    tf.registerKernel({
      kernelName,
      backendName: name,
      kernelFunc: ({ inputs, attrs, backend }) => (backend as TraceBackend).run(kernelName, rule, inputs, attrs ?? {}),
    })
  }
}

/**
 * What tfjs runs operations on. `setBackend` would go through the kernels of all backends to start its own, which takes
 * about half a millisecond, and a trace would take three of these; none of its own kernels is to be started.
 */
interface CurrentBackend {
  backendName: string | undefined
  backendInstance: tf.KernelBackend | undefined
}

/**
 * Runs `body` on shapes alone; nothing is allocated, and tensors and variables that it makes end with it. The current
 * backend is the same before and after, and nothing else runs in between: `body` is synchronous, and so is switching.
 * Throws a MixlabError for an operation without a rule and for reading values.
 */
export async function tracing<T>(body: (recorder: Recorder) => T, options: TracingOptions = {}): Promise<T> {
  // A backend that is still starting cannot be left and come back to.
  if (tf.engine().backendName) await tf.ready()
  return onShapes(body, options)
}

function onShapes<T>(body: (recorder: Recorder) => T, { fused = false, held = 4096 }: TracingOptions): T {
  const name = fused ? 'trace-fused' : 'trace'
  registerKernels(name, fused)
  const engine = tf.engine()
  const current = engine as unknown as CurrentBackend
  const { backendName, backendInstance } = current
  const variables = new Map(Object.values(engine.registeredVariables).map((each) => [each, tf.keep(tf.clone(each))]))
  const assigned = () => [...variables].filter(([variable, { dataId }]) => variable.dataId !== dataId)
  const backend = new TraceBackend(held, () => {
    if (assigned().length > 0)
      throw new MixlabError('option', '', 'assigns a variable that was made outside of the model')
  })
  Object.assign(current, { backendName: name, backendInstance: backend })
  engine.startScope('trace')
  try {
    return body(backend)
  } catch (error) {
    throw withoutRule(error) ?? error
  } finally {
    engine.endScope()
    Object.assign(current, { backendName, backendInstance })
    for (const [variable, before] of assigned()) variable.assign(before)
    for (const variable of Object.values(engine.registeredVariables)) {
      if (!variables.has(variable)) variable.dispose()
    }
    tf.dispose([...variables.values()])
    backend.clear()
  }
}

function withoutRule(error: unknown): MixlabError | null {
  const kernel = error instanceof Error && /^Kernel '(.+)' not registered for backend 'trace/.exec(error.message)?.[1]
  if (!kernel) return null
  const named = new MixlabError('backend', '', `uses ${kernel}, an operation without a shape rule`)
  return Object.assign(named, { stack: (error as Error).stack })
}
