// The parts of WebGPU that programs use, so that the engine needs no types of an environment.

/** A buffer on the card. */
export interface GpuBuffer {
  readonly size: number
  mapAsync(mode: number): Promise<undefined>
  getMappedRange(): ArrayBuffer
  unmap(): void
  destroy(): void
}

export interface GpuPass {
  setPipeline(pipeline: object): void
  setBindGroup(index: number, group: object, offsets?: number[]): void
  dispatchWorkgroups(x: number, y: number, z: number): void
  end(): void
}

export interface GpuEncoder {
  beginComputePass(options?: object): GpuPass
  copyBufferToBuffer(from: GpuBuffer, at: number, to: GpuBuffer, toAt: number, bytes: number): void
  clearBuffer(buffer: GpuBuffer, offset?: number, bytes?: number): void
  resolveQuerySet(set: object, first: number, count: number, to: GpuBuffer, at: number): void
  finish(): object
}

export interface GpuQueue {
  submit(commands: object[]): void
  writeBuffer(buffer: GpuBuffer, at: number, data: ArrayBufferView): void
  onSubmittedWorkDone(): Promise<undefined>
}

export interface GpuDevice {
  readonly queue: GpuQueue
  readonly limits: Record<'maxStorageBufferBindingSize' | 'maxBufferSize' | 'maxStorageBuffersPerShaderStage', number>
  readonly features: { has(name: string): boolean }
  readonly lost: Promise<{ message: string }>
  createBuffer(description: { size: number; usage: number; mappedAtCreation?: boolean; label?: string }): GpuBuffer
  createShaderModule(description: { code: string; label?: string }): object
  createBindGroupLayout(description: object): object
  createPipelineLayout(description: object): object
  createBindGroup(description: object): object
  createComputePipeline(description: object): object
  createCommandEncoder(): GpuEncoder
  createQuerySet(description: { type: 'timestamp'; count: number }): object
  pushErrorScope(filter: 'validation' | 'out-of-memory' | 'internal'): void
  popErrorScope(): Promise<{ message: string } | null>
  destroy(): void
}

/** What a buffer is for; the numbers of the standard. */
export const USE = { mapRead: 1, copyFrom: 4, copyTo: 8, uniform: 64, storage: 128, resolve: 512 } as const
