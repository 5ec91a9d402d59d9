import * as tf from '@tensorflow/tfjs-core'

/** What is needed of the backend `webgl` of tfjs. */
interface WebGlBackend {
  runWebGLProgram(
    program: { variableNames: string[]; outputShape: number[]; userCode: string },
    inputs: tf.TensorInfo[],
    dtype: tf.DataType,
  ): tf.TensorInfo
}

/** The functions that are replaced, and by how many quarters of a turn they are ahead of the sine. */
const QUARTERS = { Sin: 0, Cos: 1 }

/** That of the other backends (webgpu/wgsl/functions.ts): off by less than 2e-7 where x is below 10,000. */
const shader = (quarters: number) => `
  void main() {
    float x = getAAtOutCoords();
    float turns = floor(x * 0.636619772 + 0.5);
    float r = ((x - turns * 1.5703125) - turns * 4.837512969970703e-4) - turns * 7.549789954891882e-8;
    float s = r * r;
    float sine = r + r * s * (-0.166666667 + s * (8.33333333e-3 + s * (-1.98412698e-4 + s * 2.75573192e-6)));
    float cosine = 1.0 + s * (-0.5 + s * (0.0416666667 + s * (-1.38888889e-3 + s * (2.48015873e-5 - s * 2.75573192e-7))));
    float quarter = mod(turns + ${quarters}.0, 4.0);
    float y = mod(quarter, 2.0) > 0.5 ? cosine : sine;
    setOutput(quarter > 1.5 ? -y : y);
  }`

/** Replaces sine and cosine on `webgl`: those of GLSL may be off by 5e-4. A second call changes nothing. */
export function replaceTurns(): void {
  for (const [kernelName, quarters] of Object.entries(QUARTERS)) {
    if (tf.getKernel(kernelName, 'webgl')) tf.unregisterKernel(kernelName, 'webgl')
    const userCode = shader(quarters)
    tf.registerKernel({
      kernelName,
      backendName: 'webgl',
      kernelFunc: ({ inputs, backend }) => {
        const { x } = inputs as { x: tf.TensorInfo }
        const program = { variableNames: ['A'], outputShape: x.shape, userCode }
        return (backend as WebGlBackend).runWebGLProgram(program, [x], 'float32')
      },
    })
  }
}
