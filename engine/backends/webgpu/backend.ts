import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu'
import { type BackendValues, type DataId, env, type TensorInfo } from '@tensorflow/tfjs-core'
import type { Graph } from '../../compile/graph.ts'
import type { Program, Programs } from '../../compile/program.ts'
import type { CreateTraining, TrainingProgram } from '../../compile/training.ts'
import { MixlabError } from '../../errors.ts'
import type { OpenedCard } from './card.ts'
import { createFaults, type Faults, faultOf } from './faults.ts'
import type { GpuBuffer, GpuDevice } from './gpu.ts'
import { smallerAfter } from './submissions.ts'

/** What the stock backend knows of a tensor. */
interface TensorRecord {
  /** Null or missing while the values are on the card alone. */
  values?: BackendValues | null
  resource?: GpuBuffer | null
}

/** Makes programs; given from outside, since programs know the backend. */
export interface ProgramFactories {
  program(backend: WebGpuBackend, graph: Graph): Program
  training(backend: WebGpuBackend, ...given: Parameters<CreateTraining>): TrainingProgram | null
}

/**
 * The stock WebGPU backend of tfjs, which also runs whole graphs as programs. Both work with the same tensors, and what
 * one is given first is done first.
 */
export class WebGpuBackend extends WebGPUBackend implements Programs {
  readonly isImmediate = false
  readonly createProgram: Programs['createProgram']
  readonly createTraining: CreateTraining
  readonly card: GpuDevice
  /** What the card has said against submissions, of programs and of single operations. */
  readonly faults: Faults
  /** Bytes that programs hold on the card. */
  programBytes = 0
  /** When the card was through with the last submission of a program, as `performance.now()`. */
  idleSince = 0
  /** How often a card was lost in what is trained now: submissions are smaller then. */
  readonly losses: number
  /** Floats that the values of a part of a batch may take; undefined for what is usual. */
  readonly partFloats: number | undefined

  constructor({ device, info, losses = 0, partFloats }: OpenedCard, { program, training }: ProgramFactories) {
    super(device as never, info as never)
    this.card = device
    this.faults = createFaults(device)
    this.losses = losses
    this.partFloats = partFloats
    env().set('WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE', Math.max(1, 15 / smallerAfter(losses))) // 15 as tfjs has it
    this.createProgram = (graph) => program(this, graph)
    this.createTraining = (...given) => training(this, ...given)
  }

  /** Submits what the operations of tfjs have recorded so far, if anything. */
  flush(): void {
    const { commandEncoder } = this as unknown as { commandEncoder: object | null }
    if (!commandEncoder) return
    this.endComputePassEncoder()
    this.submitQueue()
  }

  /** As tfjs does it for single operations, and collects what the card says against them. */
  override submitQueue(): void {
    const own = { by: this, from: 0, to: 0 }
    this.faults.watch(own, (fault) => faultOf(fault, 'operations outside of a program'))
    super.submitQueue()
  }

  async compact(): Promise<void> {}

  override memory() {
    const { numBytesInGPU, numBytesAllocatedInGPU, ...rest } = super.memory()
    return {
      ...rest,
      numBytesInGPU: numBytesInGPU + this.programBytes,
      numBytesAllocatedInGPU: numBytesAllocatedInGPU + this.programBytes,
    }
  }

  /** The values of a tensor in memory of the processor, or its buffer on the card. */
  valuesOf({ dataId }: Pick<TensorInfo, 'dataId'>): { values: BackendValues } | { buffer: GpuBuffer } {
    const { values, resource } = this.tensorMap.get(dataId) as TensorRecord
    if (resource) return { buffer: resource }
    if (!values) throw new MixlabError('backend', 'webgpu', 'a tensor has no values')
    return { values }
  }

  /** A tensor on the card whose values are still to be written. */
  output(shape: number[], dtype: TensorInfo['dtype']): { info: TensorInfo; buffer: GpuBuffer } {
    const info = this.makeTensorInfo(shape, dtype)
    this.uploadToGPU(info.dataId)
    return { info, buffer: (this.tensorMap.get(info.dataId) as TensorRecord).resource as GpuBuffer }
  }

  /** Throws MixlabError `backend` where the card has refused to compute something since the last reading. */
  override async read(dataId: DataId): Promise<BackendValues> {
    const values = await super.read(dataId)
    await this.faults.check()
    return values
  }

  /** Throws MixlabError `backend` where the values are on the card and there is no canvas to read them through. */
  override readSync(dataId: DataId): BackendValues {
    const { values } = this.tensorMap.get(dataId) as TensorRecord
    if (!values && env().get('IS_NODE')) {
      throw new MixlabError('backend', 'webgpu', 'reads values that are on the graphics card; await tensor.data() does')
    }
    return super.readSync(dataId)
  }
}
