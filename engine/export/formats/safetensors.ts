import { FORMAT, readSafetensors, writeSafetensors } from '../../weights/safetensors.ts'
import { FORMATS } from './known.ts'
import { type Format, quoted } from './types.ts'

/** The tensors of a model under the names and in the layouts of PyTorch. */
export const safetensors: Format = {
  ...FORMATS.safetensors,
  write: async ({ tensors, metadata }) => ({
    '.safetensors': writeSafetensors(tensors, { ...metadata, ...FORMAT }),
  }),
  read: (files, fill) => fill(readSafetensors(files['.safetensors'] as Uint8Array).tensors),
  snippets: (file) => ({
    python: [
      'import json',
      'from safetensors import safe_open',
      '',
      `with safe_open(${quoted(file)}, 'pt') as file:`,
      '    tensors = {name: file.get_tensor(name) for name in file.keys()}',
      "    about = json.loads(file.metadata()['mixlab'])",
    ],
    javascript: [
      `// a JSON header, whose length is in the first 8 bytes, and the tensors behind it`,
      `const file = await (await fetch(${quoted(file)})).arrayBuffer()`,
      'const length = Number(new DataView(file).getBigUint64(0, true))',
      'const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length)))',
      'const tensor = (name) => {',
      '  const [begin, end] = header[name].data_offsets',
      '  return new Float32Array(file.slice(8 + length + begin, 8 + length + end))',
      '}',
      'const about = JSON.parse(header.__metadata__.mixlab)',
    ],
  }),
}
