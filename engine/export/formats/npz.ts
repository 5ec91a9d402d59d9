import { DESCRIPTION_FILE, readNpz } from '../../weights/files/npz.ts'
import { writeNpz } from '../../weights/files/writeNpz.ts'
import { DESCRIPTION } from '../../weights/safetensors.ts'
import { FORMATS } from './known.ts'
import { type Format, quoted } from './types.ts'

/** The tensors of a model as numpy reads them. */
export const npz: Format = {
  ...FORMATS.npz,
  write: async ({ tensors, metadata }) => ({
    '.npz': writeNpz(tensors, { [DESCRIPTION_FILE]: metadata[DESCRIPTION] ?? '{}' }),
  }),
  read: (files, fill) => fill(readNpz(files['.npz'] as Uint8Array, '.npz')),
  snippets: (file) => ({
    python: [
      'import json',
      'import numpy as np',
      '',
      `file = np.load(${quoted(file)})`,
      `tensors = {name: file[name] for name in file.files if name != '${DESCRIPTION_FILE}'}`,
      `about = json.loads(file['${DESCRIPTION_FILE}'])`,
    ],
    javascript: [
      "import { unzipSync } from 'fflate'",
      '',
      `const files = unzipSync(new Uint8Array(await (await fetch(${quoted(file)})).arrayBuffer()))`,
      `const about = JSON.parse(new TextDecoder().decode(files['${DESCRIPTION_FILE}']))`,
      'const tensor = (name) => {',
      '  const file = files[name + ".npy"] // 10 bytes and a header, whose length is in the last two of these',
      '  return new Float32Array(file.slice(10 + file[8] + 256 * file[9]).buffer)',
      '}',
    ],
  }),
}
