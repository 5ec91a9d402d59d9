import { FORMATS } from './known.ts'
import { readTfjs } from './tfjs/run.ts'
import { writeTfjs } from './tfjs/write.ts'
import { type Format, quoted, zerosInJavaScript } from './types.ts'

/** The model as a graph model of TensorFlow.js. */
export const tfjs: Format = {
  ...FORMATS.tfjs,
  write: (model, name) => writeTfjs(model, name),
  read: (files) => readTfjs(files),
  snippets: (file, inputs) => ({
    python: [
      '# read by TensorFlow.js; ONNX has the same model for Python',
      'import json',
      '',
      `about = json.load(open(${quoted(file)}))['userDefinedMetadata']['mixlab']`,
    ],
    javascript: [
      "import * as tf from '@tensorflow/tfjs'",
      '',
      `const model = await tf.loadGraphModel(${quoted(file)})`,
      `const about = (await (await fetch(${quoted(file)})).json()).userDefinedMetadata.mixlab`,
      ...inputs.map((input) => {
        const { name, shape, dtype } = input
        return `const ${name} = tf.tensor(${zerosInJavaScript(input)}, [1, ${shape.slice(1).join(', ')}], '${dtype}')`
      }),
      `const logits = model.predict({ ${inputs.map(({ name }) => name).join(', ')} })`,
    ],
  }),
}
