import { webgpu_util } from '@tensorflow/tfjs-backend-webgpu'
import * as tf from '@tensorflow/tfjs-core'
import type { WebGpuBackend } from './backend.ts'
import { maps } from './lower/maps.ts'
import { functionsOf } from './wgsl/functions.ts'

/** The functions whose kernels of tfjs lose small values, or leave too much to WGSL: log1p(1e-8) is 0 there. */
const REPLACED = [
  ...['Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atan2', 'Atanh', 'Cos', 'Cosh', 'Elu', 'Erf', 'Expm1', 'Log', 'Log1p'],
  ...['Mod', 'Pow', 'Selu', 'Sin', 'Sinh', 'Softplus', 'Tan', 'Tanh'],
]
const THREADS = 64
let replaced = false

/** Puts kernels in place of those of tfjs that compute functions value by value as programs do (lower/maps.ts). */
export function replaceFunctions(): void {
  if (replaced) return
  replaced = true
  for (const kernelName of REPLACED) {
    const stock = tf.getKernel(kernelName, 'webgpu')
    tf.unregisterKernel(kernelName, 'webgpu')
    tf.registerKernel({
      ...stock,
      kernelFunc: (call) => {
        const inputs = Object.values(call.inputs) as tf.TensorInfo[]
        if (inputs.some(({ dtype }) => dtype !== 'float32')) return stock.kernelFunc(call)
        return valueByValue(kernelName, inputs, call.backend as WebGpuBackend)
      },
    })
  }
}

function valueByValue(kernelName: string, inputs: tf.TensorInfo[], backend: WebGpuBackend): tf.TensorInfo {
  const shapes = inputs.map(({ shape }) => shape)
  const outputShape = shapes.reduce((a, b) => tf.broadcast_util.assertAndGetBroadcastShape(a, b))
  const variableNames = ['A', 'B'].slice(0, inputs.length)
  const values = variableNames.map((name) => `get${name}ByOutputIndex(index)`)
  const result = maps[kernelName]?.code(values, {}, 'float32') as string
  const workgroupSize: [number, number, number] = [THREADS, 1, 1]
  const dispatchLayout = webgpu_util.flatDispatchLayout(outputShape)
  const program = {
    ...{ variableNames, outputShape, workgroupSize, dispatchLayout, size: true },
    dispatch: webgpu_util.computeDispatch(dispatchLayout, outputShape, workgroupSize),
    shaderKey: `mixlab ${kernelName}`,
    getUserCode: () => `var<private> nought = 0u;
${functionsOf(result)}
fn main(index: i32) {
  if (index < uniforms.size) { setOutputAtIndex(index, ${result}); }
}`,
  }
  return backend.runWebGPUProgram(program, inputs, 'float32')
}
