import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it } from 'vitest'
import { tracing } from '../../../engine/trace/backend.ts'
import type { KernelCall } from '../../../engine/trace/recorder.ts'

afterEach(() => {
  expect(tf.getBackend()).toBe('cpu')
  expect(tf.engine().backendNames()).not.toContain('trace')
})

const variables = () => Object.keys(tf.engine().registeredVariables).length

describe('tracing', () => {
  it('runs the body on shapes alone and gives what it returns', async () => {
    const shape = await tracing(() => {
      expect(tf.getBackend()).toBe('trace')
      return tf.matMul(tf.fill([1e6, 1e5], 0), tf.fill([1e5, 1e6], 0)).shape
    })
    expect(shape).toEqual([1e6, 1e6])
  })
  it('disposes tensors and variables of the body', async () => {
    const before = variables()
    await tracing(() => {
      tf.keep(tf.relu(tf.fill([3], 1)))
      tf.variable(tf.fill([2], 0))
    })
    expect(variables()).toBe(before)
  })
  it('puts the backend back and leaves nothing behind when the body throws', async () => {
    const before = variables()
    const broken = tracing(() => {
      tf.keep(tf.relu(tf.fill([3], 1)))
      tf.variable(tf.fill([2], 0))
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    expect(variables()).toBe(before)
  })
  it('leaves nothing behind when a gradient throws', async () => {
    const grad = tf.grad((x) => tf.sum(tf.erf(tf.real(tf.complex(tf.exp(x), x)))))
    await expect(tracing(() => void grad(tf.fill([2, 2], 1)))).rejects.toThrow('gradient function not found for Real')
  })
  it('is never seen by code that awaits elsewhere', async () => {
    const seen: string[] = []
    const training = (async () => {
      for (let i = 0; i < 20; i++) {
        seen.push(tf.getBackend())
        const x = tf.ones([2])
        seen.push(String((await x.data())[0]))
        x.dispose()
      }
    })()
    for (let i = 0; i < 5; i++) {
      await tracing(() => void tf.relu(tf.fill([2], 1)))
      await tracing(() => {
        throw new Error('broken')
      }).catch(() => {})
    }
    await training
    expect(new Set(seen)).toEqual(new Set(['cpu', '1']))
  })
  it('starts, where it is called inside another trace, when that one is over', async () => {
    let inner: Promise<string> = Promise.resolve('')
    await tracing(() => {
      inner = tracing(() => tf.getBackend())
      expect(tf.getBackend()).toBe('trace')
    })
    expect(await inner).toBe('trace')
  })
  it('waits for a backend that is still starting, and puts that one back', async () => {
    let started: (backend: tf.KernelBackend) => void = () => {}
    tf.registerBackend('slow', () => new Promise((resolve) => (started = resolve)), 0)
    const set = tf.setBackend('slow')
    const trace = tracing(() => tf.relu(tf.fill([2], 1)).shape)
    started(tf.findBackend('cpu'))
    expect(await trace).toEqual([2])
    expect(await set).toBe(true)
    expect(tf.getBackend()).toBe('slow')
    await tf.setBackend('cpu')
  })
  it('chooses no backend where none was chosen', async () => {
    tf.registerBackend('passing', () => tf.findBackend('cpu'), 0)
    await tf.setBackend('passing')
    tf.engine().backendName = ''
    expect(await tracing(() => tf.relu(tf.fill([2], 1)).shape)).toEqual([2])
    expect(tf.engine().backendName).toBeFalsy()
    await tf.setBackend('cpu')
  })
  it('names an operation without a rule', async () => {
    const unique = () => void tf.unique(tf.fill([3], 1))
    await expect(tracing(unique)).rejects.toThrow('uses Unique, an operation without a shape rule')
    const own = () => void tf.engine().runKernel('MyKernel', {})
    await expect(tracing(own)).rejects.toThrow('uses MyKernel, an operation without a shape rule')
  })
  it('refuses shapes that do not fit, as the operation itself does', async () => {
    const a = () => tf.fill([2, 3], 1)
    await expect(tracing(() => void tf.matMul(a(), a()))).rejects.toThrow('inner lengths of [2,3] and [2,3] differ')
    await expect(tracing(() => void tf.add(a(), tf.fill([2], 1)))).rejects.toThrow('could not be broadcast')
    await expect(tracing(() => void tf.concat([a(), tf.fill([2, 2], 1)], 0))).rejects.toThrow('concat')
  })
})

describe('a traced tensor', () => {
  it('has no values to read', async () => {
    const message = 'reads values of a tensor'
    await expect(tracing(() => tf.relu(tf.fill([2], 1)).dataSync())).rejects.toThrow(message)
    await expect(tracing(() => tf.relu(tf.fill([2], 1)).arraySync())).rejects.toThrow(message)
    const later = await tracing(() => ({ read: tf.relu(tf.fill([2], 1)).data() })).then(
      ({ read }) => read.then(String, String),
      String,
    )
    expect(later).toContain(message)
  })
  it('cannot be assigned to a variable of before, which keeps its value', async () => {
    const before = tf.memory().numTensors
    const variable = tf.tidy(() => tf.variable(tf.tensor1d([1, 2])))
    const own = await tracing(() => {
      const own = tf.variable(tf.fill([2], 0))
      own.assign(tf.relu(variable))
      return own.shape
    })
    expect(own).toEqual([2])
    await expect(tracing(() => variable.assign(tf.relu(variable)))).rejects.toThrow('assigns a variable')
    expect([...variable.dataSync()]).toEqual([1, 2])
    variable.dispose()
    expect(tf.memory().numTensors).toBe(before)
  })
  it('keeps its values where code wrote a small constant', async () => {
    const [scalar, table, view] = await tracing(() => [
      tf.scalar(3).dataSync(),
      tf.tensor([1, 2, 3, 4], [2, 2], 'int32').arraySync(),
      tf.reshape(tf.tensor1d([1, 2]), [2, 1]).arraySync(),
    ])
    expect([...(scalar as Float32Array)]).toEqual([3])
    expect(table).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(view).toEqual([[1], [2]])
  })
  it('may be made of a tensor of another backend, which stays as it is', async () => {
    const constant = tf.tensor1d([1, 2])
    const read = await tracing(() => {
      const twice = tf.add(tf.reshape(constant, [2, 1]), constant)
      expect(twice.shape).toEqual([2, 2])
      return constant.dataSync()
    })
    expect([...read]).toEqual([1, 2])
    expect([...constant.dataSync()]).toEqual([1, 2])
    constant.dispose()
  })
})

describe('a recording', () => {
  it('lists operations with their inputs, and counts those that are more than a view', async () => {
    const calls: KernelCall[] = []
    const { dispatches } = await tracing((recorder) => {
      const x = tf.fill([2, 3], 1)
      return recorder.record(
        () => void tf.cast(tf.reshape(tf.matMul(tf.relu(x), x, false, true), [4]), 'int32'),
        (call) => calls.push(call),
      )
    })
    expect(calls.map(({ kernel, view }) => [kernel, view])).toEqual([
      ['Relu', false],
      ['BatchMatMul', false],
      ['Reshape', true],
      ['Cast', false],
    ])
    const [relu, product, reshaped, cast] = calls as [KernelCall, KernelCall, KernelCall, KernelCall]
    expect(product.inputs).toEqual([relu.outputs[0], relu.inputs[0]])
    expect(cast.inputs).toEqual(reshaped.outputs)
    expect(product).toMatchObject({ shapes: [[2, 2]], macs: 12, scopes: [] })
    expect(dispatches).toBe(3)
  })
  it('has the most bytes that were alive at once, views and what was there before not counted', async () => {
    const peak = await tracing((recorder) => {
      const x = tf.fill([10], 1) // 40 bytes from before
      const { peak } = recorder.record(() => {
        tf.tidy(() => {
          const y = tf.relu(x) // 40
          const z = tf.greater(tf.reshape(y, [5, 2]), tf.fill([5, 2], 0)) // 40 of the constant, 10 of bools
          y.dispose() // its view goes on
          return tf.cast(z, 'int32') // wider, but shared with z
        })
        tf.relu(x)
      })
      return peak
    })
    expect(peak).toBe(90)
  })
})
