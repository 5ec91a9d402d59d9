import { FORMATS } from './known.ts'
import { readOnnx } from './onnx/run.ts'
import { writeOnnx } from './onnx/write.ts'
import { type Format, quoted, zerosInJavaScript, zerosInPython } from './types.ts'

/** The model as a graph of ONNX. */
export const onnx: Format = {
  ...FORMATS.onnx,
  write: async (model) => ({ '.onnx': await writeOnnx(model) }),
  read: (files) => readOnnx(files['.onnx'] as Uint8Array),
  snippets: (file, inputs) => ({
    python: [
      'import json',
      'import numpy as np',
      'import onnxruntime',
      '',
      `session = onnxruntime.InferenceSession(${quoted(file)})`,
      "about = json.loads(session.get_modelmeta().custom_metadata_map['mixlab'])",
      `inputs = {${inputs.map((input) => `'${input.name}': ${zerosInPython(input)}`).join(', ')}}`,
      "logits, = session.run(['logits'], inputs)",
    ],
    javascript: [
      "import * as ort from 'onnxruntime-node' // or onnxruntime-web",
      '',
      `const session = await ort.InferenceSession.create(${quoted(file)})`,
      ...inputs.map((input) => {
        const { name, dtype, shape } = input
        return `const ${name} = new ort.Tensor('${dtype}', ${zerosInJavaScript(input)}, [1, ${shape.slice(1).join(', ')}])`
      }),
      `const { logits } = await session.run({ ${inputs.map(({ name }) => name).join(', ')} })`,
    ],
  }),
}
