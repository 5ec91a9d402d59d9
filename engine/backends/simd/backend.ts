import { MathBackendCPU } from '@tensorflow/tfjs-backend-cpu'
import { type backend_util, type DataType, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { Graph } from '../../compile/graph.ts'
import type { Program, Programs } from '../../compile/program.ts'
import type { Exports } from './binary.ts'
import type { HeapBlock } from './freeBlocks.ts'
import { createHeap, type Heap } from './heap.ts'

/** Where the values of a tensor are in the heap, and how many. */
interface HeapRange {
  block: HeapBlock
  size: number
}

/** Nanoseconds of work below which no other thread is woken up. */
const WORTH_SHARING = 30_000

type Values = Float32Array | Int32Array

/** The pool of threads: its place in memory, and how many threads there are, the caller included. */
export interface ThreadPool {
  address: number
  end: number
  threads: number
}

/** The compiled kernels, started: on a memory, with a pool of threads that work on it, too. */
export interface Kernels {
  wasm: Exports
  memory: WebAssembly.Memory
  pool: ThreadPool
}

/** Bytes below which a memory that stands empty is kept. */
const WORTH_GIVING = 128 * 2 ** 20
/** Garbage outside the collector's count is reported to it in pieces of so many bytes. */
const GARBAGE = 16 * 2 ** 20

/** Makes a program; given from outside, since programs know the backend. */
export type CreateProgram = (backend: SimdBackend, graph: Graph, batch: number) => Program

/**
 * The stock CPU backend, whose tensors move into WebAssembly memory when a kernel of ours first needs them and stay
 * there. Values are views of that memory then, so that every stock kernel still reads them.
 */
export class SimdBackend extends MathBackendCPU implements Programs {
  readonly isImmediate = true
  readonly createProgram: Programs['createProgram']
  private kernels: Kernels
  private readonly start: () => Promise<Kernels>
  private heap: Heap
  private readonly places = new Map<object, HeapRange>()
  /** The programs; they hold addresses. */
  private readonly programs = new Set<Program>()
  /** Blocks for the next tensors of these sizes. */
  private readonly kept: HeapRange[] = []

  /** `kernels` are started; `start` starts them on another memory. */
  constructor(kernels: Kernels, start: () => Promise<Kernels>, createProgram: CreateProgram) {
    super()
    this.createProgram = (graph, batch) => {
      if (this.programs.size === 0) this.pack()
      const program = createProgram(this, graph, batch)
      this.programs.add(program)
      const dispose = () => {
        this.programs.delete(program)
        program.dispose()
      }
      return { ...program, dispose }
    }
    this.kernels = kernels
    this.start = start
    this.heap = this.heapOf(kernels)
  }

  get wasm(): Exports {
    return this.kernels.wasm
  }

  get pool(): ThreadPool {
    return this.kernels.pool
  }

  /** Address of the values of a float32 or int32 tensor; `wanted` where they have none yet, and it is free. */
  address({ dataId, shape, dtype }: TensorInfo, wanted?: number): number {
    const known = this.places.get(dataId)
    if (known) return known.block.address
    const data = this.data.get(dataId)
    const { values, address } = this.allocate(dataId, util.sizeFromShape(shape), dtype, wanted)
    values.set(data.values as Values) // also turns the Int32Array of a cast tensor into floats
    data.values = values
    return address
  }

  /** A tensor whose values are still to be written; at `wanted`, where that is free. */
  output(
    shape: number[],
    dtype: 'float32' | 'int32' = 'float32',
    wanted?: number,
  ): { info: TensorInfo; address: number } {
    const info = this.makeTensorInfo(shape, dtype)
    const { values, address } = this.allocate(info.dataId, util.sizeFromShape(shape), dtype, wanted)
    this.data.get(info.dataId).values = values
    return { info, address }
  }

  /** A float32 tensor whose values are still to be written, into `values`, before the memory is asked for more. */
  blank(shape: number[]): { info: TensorInfo; values: Float32Array } {
    const { info } = this.output(shape)
    return { info, values: this.data.get(info.dataId).values as Float32Array }
  }

  /** The parts of the memory that are in use now. */
  taken(): { address: number; end: number }[] {
    return this.heap.taken()
  }

  /** Runs `body`, whose new tensors of these sizes shall be at these addresses, where these are free. */
  withPlaces<T>(wanted: readonly { address: number; size: number }[], body: () => T): T {
    for (const { address, size } of wanted) {
      const block = this.heap.allocateAt(address, bytesOf(size))
      if (block) this.kept.push({ block, size })
    }
    try {
      return body()
    } finally {
      for (const { block } of this.kept.splice(0)) this.heap.release(block)
    }
  }

  /** Into how many parts work of so many nanoseconds is cut: a few for each thread, or one where that does not pay. */
  parts(nanoseconds: number): number {
    const { threads } = this.pool
    return threads === 1 || nanoseconds < WORTH_SHARING ? 1 : 4 * threads
  }

  /** What addresses count in; to be asked for again after an allocation, which may make it larger. */
  get buffer(): ArrayBufferLike {
    return this.kernels.memory.buffer
  }

  /** Runs `body` with the address of `bytes` that are free again afterwards. */
  withScratch<T>(bytes: number, body: (address: number) => T): T {
    const block = this.heap.allocate(bytes)
    try {
      return body(block.address)
    } finally {
      this.heap.release(block)
    }
  }

  /** Some stock kernels return a part of their input as it is; it must not share memory that will be used again. */
  override write(values: backend_util.BackendValues, shape: number[], dtype: DataType): object {
    const ours = ArrayBuffer.isView(values) && values.buffer === this.buffer
    return super.write(ours ? (values as Values).slice() : values, shape, dtype)
  }

  override disposeData(dataId: object, force = false): boolean {
    const gone = super.disposeData(dataId, force)
    const place = gone ? this.places.get(dataId) : undefined
    if (place) {
      this.heap.release(place.block)
      this.places.delete(dataId)
    }
    return gone
  }

  /** A copy: the memory is used again once the tensor is gone. */
  override readSync(dataId: object): backend_util.BackendValues {
    const values = super.readSync(dataId)
    return this.places.has(dataId) ? (values as Values).slice() : values
  }

  /** Ends the threads. */
  override dispose(): void {
    super.dispose()
    stop(this.kernels)
  }

  /**
   * Gives the memory back and takes a smaller one, where less than half of it was needed since the last call: it cannot
   * shrink. Tensors move. Does nothing while there are programs, nor where there is no second memory to be had.
   */
  async compact(): Promise<void> {
    if (this.programs.size > 0) return
    const { peak, size } = this.heap.usage()
    this.heap.forget()
    if (size - 2 * peak < WORTH_GIVING) return
    const kernels = await this.start().catch(() => null)
    if (!kernels) return
    const moved = this.programs.size === 0 && this.moveTo(kernels) // there may be a program meanwhile
    if (!moved) stop(kernels)
  }

  /** Bytes in the heap, now and at most since the last `compact`, and of its memory, beside what tfjs counts. */
  override memory(): {
    unreliable: boolean
    reasons: string[]
    heapBytes: number
    heapPeakBytes: number
    heapSizeBytes: number
  } {
    const { used, peak, size } = this.heap.usage()
    return { unreliable: false, reasons: [], heapBytes: used, heapPeakBytes: peak, heapSizeBytes: size }
  }

  private heapOf({ memory, pool }: Kernels): Heap {
    return createHeap(memory, pool.end, () => this.renewViews())
  }

  /** Moves all tensors together, so that what a program keeps has its place behind them, not in gaps that are too small. */
  private pack(): void {
    const bytes = new Uint8Array(this.buffer)
    this.heap.pack((from, to, size) => bytes.copyWithin(to, from, from + size))
    this.renewViews()
  }

  /** Moves all tensors to another memory and works there; false where it is too small, and nothing has moved. */
  private moveTo(kernels: Kernels): boolean {
    const heap = this.heapOf(kernels)
    const moved: [dataId: object, HeapRange][] = []
    try {
      for (const [dataId, { size }] of this.places) moved.push([dataId, { block: heap.allocate(bytesOf(size)), size }])
    } catch {
      return false
    }
    const old = this.kernels
    const { size } = this.heap.usage()
    this.kernels = kernels
    this.heap = heap
    for (const [dataId, place] of moved) {
      this.places.set(dataId, place)
      const data = this.data.get(dataId)
      const values = this.view(place, data.values instanceof Int32Array)
      values.set(data.values as Values)
      data.values = values
    }
    stop(old)
    // V8 does not count shared memory as garbage that has to be collected soon; these unused arrays it does count
    for (let left = size; left > 0; left -= GARBAGE) new ArrayBuffer(GARBAGE)
    return true
  }

  /** The view of a new block for a tensor. */
  private allocate(
    dataId: object,
    size: number,
    dtype: DataType,
    wanted?: number,
  ): { values: Values; address: number } {
    const place = this.takeKept(size) ?? { block: this.blockFor(bytesOf(size), wanted), size }
    this.places.set(dataId, place)
    return { values: this.view(place, dtype === 'int32'), address: place.block.address }
  }

  private takeKept(size: number): HeapRange | undefined {
    const at = this.kept.findIndex((range) => range.size === size)
    return at < 0 ? undefined : this.kept.splice(at, 1)[0]
  }

  private blockFor(bytes: number, wanted: number | undefined): HeapBlock {
    return (wanted === undefined ? null : this.heap.allocateAt(wanted, bytes)) ?? this.heap.allocate(bytes)
  }

  private view({ block, size }: HeapRange, whole: boolean): Values {
    return whole ? new Int32Array(this.buffer, block.address, size) : new Float32Array(this.buffer, block.address, size)
  }

  /** The memory has grown: values are views of what `buffer` is now, the old ones may be void. */
  private renewViews(): void {
    for (const [dataId, place] of this.places) {
      const data = this.data.get(dataId)
      data.values = this.view(place, data.values instanceof Int32Array)
    }
  }
}

/** Ends the threads. */
function stop({ wasm, pool }: Kernels): void {
  wasm.stopPool(pool.address)
}

/** Bytes of the block for so many values. */
function bytesOf(size: number): number {
  return Math.max(4, size * 4)
}
