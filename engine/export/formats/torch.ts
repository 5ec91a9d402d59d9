import { FORMAT, readSafetensors, writeSafetensors } from '../../weights/safetensors.ts'
import { FORMATS } from './known.ts'
import { readTorch } from './torch/read.ts'
import { torchModule } from './torch/write.ts'
import { type Format, quoted, type TrainedReader, type Written } from './types.ts'

/** The model as Python that reads like a paper, and its tensors. */
export const torch: Format = {
  ...FORMATS.torch,
  write: async (model): Promise<Written> => {
    const { source, tables } = torchModule(await model.training(), model.metadata)
    const beside = tables.map(({ name, shape, dtype, values }) => ({
      name,
      shape,
      values: dtype === 'float32' ? (values as Float32Array) : Int32Array.from(values),
    }))
    return {
      '.py': new TextEncoder().encode(source),
      '.py.safetensors': writeSafetensors([...model.tensors, ...beside], { ...model.metadata, ...FORMAT }),
    }
  },
  read: (files) => readFiles(files).run,
  readTrained: readFiles,
  snippets: (file, inputs) => {
    const name = file.slice(0, -'.py'.length)
    const zeros = inputs.map(({ name, shape, dtype }) => {
      return `${name} = torch.zeros([1, ${shape.slice(1).join(', ')}], dtype=torch.${dtype})`
    })
    return {
      python: [...loaded(name), ...zeros, `logits = model(${inputs.map((input) => `${input.name}`).join(', ')})`],
      javascript: ['// the module is Python; ONNX and tfjs have the same model for JavaScript'],
    }
  },
}

/** Imports of Python, and the model of a module; one with a dot in its name cannot be imported by that. */
function loaded(name: string): string[] {
  if (/^[\w-]+$/.test(name))
    return ['import importlib', 'import torch', '', `model, about = importlib.import_module('${name}').load()`]
  return [
    'import importlib.util',
    'import torch',
    '',
    `spec = importlib.util.spec_from_file_location('model', ${quoted(`${name}.py`)})`,
    'module = importlib.util.module_from_spec(spec)',
    'spec.loader.exec_module(module)',
    'model, about = module.load()',
  ]
}

function readFiles(files: Written): TrainedReader {
  const { tensors } = readSafetensors(files['.py.safetensors'] as Uint8Array)
  return readTorch(new TextDecoder().decode(files['.py'] as Uint8Array), tensors)
}
