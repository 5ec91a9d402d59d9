import { MathBackendCPU } from '@tensorflow/tfjs-backend-cpu'
import { type backend_util, type DataType, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { Graph } from '../../compile/graph.ts'
import type { Program, Programs } from '../../compile/program.ts'
import type { Exports } from './binary.ts'
import { createHeap, type Heap } from './heap.ts'

/** Where the values of a tensor are in the heap, and how many. */
interface Block {
  address: number
  size: number
}

/** Nanoseconds of work below which no other thread is woken up. */
const WORTH_SHARING = 30_000

type Values = Float32Array | Int32Array

/** The pool of threads: its place in memory, and how many threads there are, the caller included. */
export interface Pool {
  address: number
  end: number
  threads: number
}

/** Makes a program; given from outside, since programs know the backend. */
export type CreateProgram = (backend: SimdBackend, graph: Graph, batch: number) => Program

/**
 * The stock CPU backend, whose tensors move into WebAssembly memory when a kernel of ours first needs them and stay
 * there. Values are views of that memory then, so that every stock kernel still reads them.
 */
export class SimdBackend extends MathBackendCPU implements Programs {
  readonly createProgram: Programs['createProgram']
  readonly wasm: Exports
  readonly pool: Pool
  private readonly wasmMemory: WebAssembly.Memory
  private readonly heap: Heap
  private readonly blocks = new Map<object, Block>()

  constructor(wasm: Exports, memory: WebAssembly.Memory, pool: Pool, createProgram: CreateProgram) {
    super()
    this.createProgram = (graph, batch) => createProgram(this, graph, batch)
    this.wasm = wasm
    this.wasmMemory = memory
    this.pool = pool
    this.heap = createHeap(memory, pool.end, () => this.renewViews())
  }

  /** Address of the values of a float32 or int32 tensor. */
  address({ dataId, shape, dtype }: TensorInfo): number {
    const known = this.blocks.get(dataId)
    if (known) return known.address
    const data = this.data.get(dataId)
    const values = this.allocate(dataId, util.sizeFromShape(shape), dtype)
    values.set(data.values as Values) // also turns the Int32Array of a cast tensor into floats
    data.values = values
    return (this.blocks.get(dataId) as Block).address
  }

  /** A tensor whose values are still to be written. */
  output(shape: number[], dtype: 'float32' | 'int32' = 'float32'): { info: TensorInfo; address: number } {
    const info = this.makeTensorInfo(shape, dtype)
    this.data.get(info.dataId).values = this.allocate(info.dataId, util.sizeFromShape(shape), dtype)
    return { info, address: (this.blocks.get(info.dataId) as Block).address }
  }

  /** Into how many parts work of so many nanoseconds is cut: a few for each thread, or one where that does not pay. */
  parts(nanoseconds: number): number {
    const { threads } = this.pool
    return threads === 1 || nanoseconds < WORTH_SHARING ? 1 : 4 * threads
  }

  /** What addresses count in; to be asked for again after an allocation, which may make it larger. */
  get buffer(): ArrayBufferLike {
    return this.wasmMemory.buffer
  }

  /** Runs `body` with the address of `bytes` that are free again afterwards. */
  withScratch<T>(bytes: number, body: (address: number) => T): T {
    const address = this.heap.allocate(bytes)
    try {
      return body(address)
    } finally {
      this.heap.release(address, bytes)
    }
  }

  /** Some stock kernels return a part of their input as it is; it must not share memory that will be used again. */
  override write(values: backend_util.BackendValues, shape: number[], dtype: DataType): object {
    const ours = ArrayBuffer.isView(values) && values.buffer === this.buffer
    return super.write(ours ? (values as Values).slice() : values, shape, dtype)
  }

  override disposeData(dataId: object, force = false): boolean {
    const gone = super.disposeData(dataId, force)
    const block = gone ? this.blocks.get(dataId) : undefined
    if (block) {
      this.heap.release(block.address, bytesOf(block.size))
      this.blocks.delete(dataId)
    }
    return gone
  }

  /** A copy: the memory is used again once the tensor is gone. */
  override readSync(dataId: object): backend_util.BackendValues {
    const values = super.readSync(dataId)
    return this.blocks.has(dataId) ? (values as Values).slice() : values
  }

  /** Ends the threads. */
  override dispose(): void {
    super.dispose()
    this.wasm.stopPool(this.pool.address)
  }

  /** Bytes in the heap, now and at most so far, beside what tfjs counts. */
  override memory(): { unreliable: boolean; reasons: string[]; heapBytes: number; heapPeakBytes: number } {
    const { used, peak } = this.heap.usage()
    return { unreliable: false, reasons: [], heapBytes: used, heapPeakBytes: peak }
  }

  /** The view of a new block for a tensor. */
  private allocate(dataId: object, size: number, dtype: DataType): Values {
    const address = this.heap.allocate(bytesOf(size))
    this.blocks.set(dataId, { address, size })
    return this.view(address, size, dtype === 'int32')
  }

  private view(address: number, size: number, whole: boolean): Values {
    return whole ? new Int32Array(this.buffer, address, size) : new Float32Array(this.buffer, address, size)
  }

  /** The memory has grown: values are views of what `buffer` is now, the old ones may be void. */
  private renewViews(): void {
    for (const [dataId, { address, size }] of this.blocks) {
      const data = this.data.get(dataId)
      data.values = this.view(address, size, data.values instanceof Int32Array)
    }
  }
}

/** Bytes of the block for so many values. */
function bytesOf(size: number): number {
  return Math.max(4, size * 4)
}
