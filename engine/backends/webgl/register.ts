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

/** The stock backend, whose programs write zeros outside of tensors and count places in whole numbers. */
class WebGlBackend extends MathBackendWebGL {
  override runWebGLProgram(...[program, ...rest]: Parameters<Run>): tf.TensorInfo {
    const userCode = inWholeNumbers(program.packedOutput ? withZeros(program) : program.userCode)
    if (userCode === program.userCode) return super.runWebGLProgram(program, ...rest)
    const mended = Object.assign(Object.create(Object.getPrototypeOf(program)), program, { userCode })
    return super.runWebGLProgram(mended, ...rest)
  }
}

/**
 * A packed texture has 2 x 2 values in each texel. Where an axis is odd, some of them lie outside of the tensor. The stock
 * programs leave anything there, such as `0 - mean` where `mean` is broadcast, and a product of matrices adds it up.
 */
function withZeros({ outputShape: shape, userCode }: Program): string {
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1]
  if (rows % 2 === 0 && columns % 2 === 0) return userCode
  const axes = shape.length > 1 ? ['.x', '.y', '.z', '.w', '.u', '.v'].slice(0, shape.length) : ['']
  const isLast = (axis: string | undefined, size: number) => (size > 1 ? `at${axis} + 1 >= ${size}` : 'true')
  return `
  void setOutputInside(vec4 value) {
    ${['int', 'int', 'ivec2', 'ivec3', 'ivec4', 'ivec5', 'ivec6'][shape.length]} at = getOutputCoords();
    bool lastRow = ${isLast(axes.at(-2), rows)};
    bool lastColumn = ${isLast(axes.at(-1), columns)};
    setOutput(vec4(
      value.x, lastColumn ? 0.0 : value.y, lastRow ? 0.0 : value.z, lastRow || lastColumn ? 0.0 : value.w));
  }
  #define setOutput setOutputInside
  ${userCode}`
}

/** What the stock programs for sums of segments, running sums, and gradients of strides count in floats. */
const COUNTED: [inFloats: RegExp, inWholeNumbers: string][] = [
  [/int\(mod\(float\(outIdx\), float\((\d+)\)\)\)/, 'imod(outIdx, $1)'],
  [/int\(floor\(float\(outIdx\) \/ float\(\s*(\d+)\)\) \* float\((\d+)\)\)/, '(outIdx / $1) * $2'],
  [/int\(pow\(2\.0, index\)\)/, '(1 << int(index))'],
  [/float\((\w+ \+ [\w +]+)\) \/ (\d+\.0|strides\[\d\])/g, 'wholeOr(float($1), $2)'],
]
const WHOLE_OR = 'float wholeOr(float a, float b) { float c = floor(a / b + 0.5); return b * c == a ? c : a / b; }\n'

const counted = new Map<string, string>()

/** Divisions and powers of GLSL may be off by a little, so that 7.0 / 7.0 is below 1 and 183 modulo 61 is 61. */
function inWholeNumbers(code: string): string {
  let whole = counted.get(code)
  if (whole === undefined) {
    whole = COUNTED.reduce((text, [inFloats, inWhole]) => text.replace(inFloats, inWhole), code)
    if (whole.includes('wholeOr(')) whole = WHOLE_OR + whole
    counted.set(code, whole)
  }
  return whole
}
