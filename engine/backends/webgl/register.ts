import { MathBackendWebGL } from '@tensorflow/tfjs-backend-webgl'
import * as tf from '@tensorflow/tfjs-core'
import { replaceFunctions } from './functions.ts'

type Run = MathBackendWebGL['runWebGLProgram']
type Program = Parameters<Run>[0]

/** That of the stock backend. */
const PRIORITY = 2

/** Registers the backend `webgl` in place of the stock one: the kernels of tfjs, with right numbers. */
export function registerWebGl(): void {
  if (registered) return
  registered = true
  if (tf.findBackendFactory('webgl')) tf.removeBackend('webgl')
  tf.registerBackend('webgl', () => new WebGlBackend(), PRIORITY)
  replaceFunctions()
}

let registered = false

/**
 * A packed texture has 2 x 2 values in each texel. Where an axis is odd, some of them lie outside of the tensor. The stock
 * programs leave anything there, such as `0 - mean` where `mean` is broadcast, and a product of matrices adds it up.
 * Here every program writes zeros there.
 */
class WebGlBackend extends MathBackendWebGL {
  override runWebGLProgram(...[program, ...rest]: Parameters<Run>): tf.TensorInfo {
    return super.runWebGLProgram(program.packedOutput ? withZeros(program) : program, ...rest)
  }
}

/** The program with zeros outside of the tensor that it writes. */
function withZeros(program: Program): Program {
  const { outputShape: shape, userCode } = program
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1]
  if (rows % 2 === 0 && columns % 2 === 0) return program
  const axes = shape.length > 1 ? ['.x', '.y', '.z', '.w', '.u', '.v'].slice(0, shape.length) : ['']
  const isLast = (axis: string | undefined, size: number) => (size > 1 ? `at${axis} + 1 >= ${size}` : 'true')
  const code = `
  void setOutputInside(vec4 value) {
    ${['int', 'int', 'ivec2', 'ivec3', 'ivec4', 'ivec5', 'ivec6'][shape.length]} at = getOutputCoords();
    bool lastRow = ${isLast(axes.at(-2), rows)};
    bool lastColumn = ${isLast(axes.at(-1), columns)};
    setOutput(vec4(
      value.x, lastColumn ? 0.0 : value.y, lastRow ? 0.0 : value.z, lastRow || lastColumn ? 0.0 : value.w));
  }
  #define setOutput setOutputInside
  ${userCode}`
  return Object.assign(Object.create(Object.getPrototypeOf(program)), program, { userCode: code })
}
