import type { monaco } from '../monaco.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'

export const hover: monaco.languages.HoverProvider = {
  async provideHover(model, position) {
    const found = await language().hover(...placeAt(model, position))
    if (!found || model.isDisposed()) return null
    const contents = [`\`\`\`typescript\n${found.type}\n\`\`\``, found.documentation]
    return { range: rangeOf(model, found.at), contents: contents.map((value) => ({ value })) }
  },
}
