import { monaco } from '../monaco.ts'
import { modelAt } from '../shown.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'
import { together } from './together.ts'

export const rename: monaco.languages.RenameProvider = {
  async resolveRenameLocation(model, position) {
    const found = await language().renamed(...placeAt(model, position))
    const range = found ? rangeOf(model, found) : monaco.Range.fromPositions(position)
    const text = model.getValueInRange(range)
    return found ? { range, text } : { range, text, rejectReason: 'Only a name that a cell defines can be renamed.' }
  },

  async provideRenameEdits(model, position, name) {
    const result = await language().rename(...placeAt(model, position), name)
    if ('refused' in result) return { edits: [], rejectReason: `Not renamed: ${result.refused}.` }
    const texts = new Map<monaco.editor.ITextModel, string[]>()
    const edits = result.edits.flatMap(({ at, text }) => {
      const target = modelAt(at.key)
      if (!target) return []
      texts.set(target, [...(texts.get(target) ?? []), text])
      return { resource: target.uri, versionId: undefined, textEdit: { range: rangeOf(target, at), text } }
    })
    together([...texts].map(([target, given]) => ({ model: target, texts: given })))
    return { edits }
  },
}
