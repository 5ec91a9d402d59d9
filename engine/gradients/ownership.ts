import * as tf from '@tensorflow/tfjs-core'

/** The methods of the engine of tfjs that hand arrays to code or keep arrays of it. */
interface Engine {
  nextTensorId(): number
  runKernel(name: string, inputs: object, attributes?: object): tf.Tensor | tf.Tensor[]
  customGrad(f: CustomFunction): (...inputs: tf.Tensor[]) => tf.Tensor
  makeTensor(values: tf.DataValues, ...rest: unknown[]): tf.Tensor
  trackTensor(tensor: tf.Tensor, backend: tf.KernelBackend): void
  readSync(dataId: object): tf.BackendValues
  read(dataId: object): Promise<tf.BackendValues>
}

type Grads = tf.Tensor | tf.Tensor[]
type CustomFunction = (...given: (tf.Tensor | tf.GradSaveFunc)[]) => {
  value: tf.Tensor
  gradFunc(dy: tf.Tensor, saved: tf.Tensor[]): Grads
}

/**
 * Code may change any array that it gave to tfjs or got from it, without changing what a tensor or a gradient is: the tape
 * and a recording keep copies, shapes are frozen. tfjs shares them: the list that `split` returns is that of its tape.
 * A function with a gradient of its own always gives a new tensor: with its input as the result the tape counts the gradient twice.
 */
export function ownArrays(): void {
  const engine = tf.engine() as unknown as Engine
  const { runKernel, customGrad, makeTensor, trackTensor, readSync, read } = engine
  Object.assign(engine, {
    runKernel(name, inputs, attributes) {
      const results = runKernel.call(engine, name, copied(inputs) as object, attributes && withCopies(attributes))
      return Array.isArray(results) ? [...results] : results
    },
    customGrad(f) {
      return customGrad.call(engine, (...given) => {
        const first = engine.nextTensorId()
        const { value, gradFunc } = f(...given)
        return {
          value: isOlder(value, first) ? tf.clone(value) : value,
          gradFunc: (dy, saved) => {
            const first = engine.nextTensorId()
            const gradients = gradFunc(dy, [...saved])
            if (!Array.isArray(gradients)) return isOlder(gradients, first) ? tf.clone(gradients) : gradients
            return gradients.map((each, i) =>
              isOlder(each, first) || gradients.indexOf(each) < i ? tf.clone(each) : each,
            )
          },
        }
      })
    },
    makeTensor: (values, ...rest) => makeTensor.call(engine, copied(values) as tf.DataValues, ...rest),
    trackTensor(tensor, backend) {
      Object.freeze(tensor.shape)
      trackTensor.call(engine, tensor, backend)
    },
    readSync: (dataId) => copied(readSync.call(engine, dataId)) as tf.BackendValues,
    read: async (dataId) => copied(await read.call(engine, dataId)) as tf.BackendValues,
  } satisfies Omit<Engine, 'nextTensorId'>)
}

/** Whether a tensor was there before the one with the id `first`; for each input and each variable it was. */
function isOlder(value: unknown, first: number): value is tf.Tensor {
  return value instanceof tf.Tensor && value.id < first
}

/** A list, also of lists, or a typed array once more; anything else as it is. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  return ArrayBuffer.isView(value) && 'slice' in value ? (value as Float32Array).slice() : value
}

function withCopies(attributes: object): object {
  const entries = Object.entries(attributes)
  if (!entries.some(([, value]) => typeof value === 'object')) return attributes
  return Object.fromEntries(entries.map(([name, value]) => [name, copied(value)]))
}
