/** What there is to know of a format without the code that writes it. */
export interface KnownFormat {
  /** The ending of the name of its first file, by which `-o` chooses the format. */
  ending: string
  /** What it is for, on one line. */
  purpose: string
  /** What reads it again for the proof. */
  reader: string
}

/** The formats that models are written in. */
export const FORMATS = {
  safetensors: {
    ending: '.safetensors',
    purpose: 'tensors under the names of PyTorch, for code that has the model',
    reader: 'a model made anew with its tensors',
  },
  npz: {
    ending: '.npz',
    purpose: 'tensors for NumPy and JAX, for code that has the model',
    reader: 'a model made anew with its tensors',
  },
  onnx: {
    ending: '.onnx',
    purpose: 'the whole model, for ONNX Runtime and whatever reads ONNX',
    reader: 'an interpreter of ONNX',
  },
  tfjs: {
    ending: '.json',
    purpose: 'the whole model as a graph model, for TensorFlow.js in a page; its weights are in the file beside it',
    reader: 'an interpreter of graph models',
  },
  torch: {
    ending: '.py',
    purpose:
      'the whole model as a PyTorch module, to read, change and train on; its tensors are in the safetensors file',
    reader: 'an interpreter of its Python',
  },
  demo: {
    ending: '.html',
    purpose: 'a page that runs the model in any browser, without a network, to be tried and shown',
    reader: 'a model made anew with the tensors in the page',
  },
} satisfies Record<string, KnownFormat>

export type FormatName = keyof typeof FORMATS

/** Whether there is a format of this name. */
export const isFormat = (name: unknown): name is FormatName => typeof name === 'string' && Object.hasOwn(FORMATS, name)
