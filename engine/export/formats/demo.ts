import { base64, bytesOfBase64 } from '../../data/base64.ts'
import { MixlabError } from '../../errors.ts'
import { FORMAT, readSafetensors, writeSafetensors } from '../../weights/safetensors.ts'
import { FORMATS } from './known.ts'
import type { Format } from './types.ts'

/** The elements of the page that hold the model, and what stands beside it. */
export const MODEL_ELEMENT = 'mixlab-model'
export const BESIDE_ELEMENT = 'mixlab-beside'

// What is run is in the page, and its code may ask for nothing from elsewhere. Cells are evaluated, kernels compiled.
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"

/**
 * A page with a model in it and the code that runs it, which the user's browser opens from disk. The model is a safetensors
 * file in base 64.
 */
export const demo: Format = {
  ...FORMATS.demo,
  async write({ tensors, metadata, demo }, name) {
    const { player, beside } = await demo()
    if (player === null)
      throw new MixlabError('option', 'demo', 'its script has not been built; npm run build makes it')
    const model = base64(writeSafetensors(tensors, { ...metadata, ...FORMAT }))
    const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>
</head>
<body>
<div id="root"></div>
<script type="text/plain" id="${MODEL_ELEMENT}">${model}</script>
<script type="application/json" id="${BESIDE_ELEMENT}">${beside.replaceAll('<', '\\u003c')}</script>
<script>${player.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
    return { '.html': new TextEncoder().encode(page) }
  },
  read: (files, fill) => fill(readSafetensors(modelIn(files['.html'] as Uint8Array)).tensors),
  snippets: () => ({ python: [], javascript: [] }),
}

/** The safetensors file that is in a demo. */
export function modelIn(file: Uint8Array): Uint8Array {
  const [, after = ''] = new TextDecoder().decode(file).split(`id="${MODEL_ELEMENT}">`)
  return bytesOfBase64(after.slice(0, after.indexOf('<')))
}
