import { modelAt } from '../cells.ts'
import { monaco } from '../monaco.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'

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
    const edits = result.edits.flatMap(({ at, text }) => {
      const target = modelAt(at.key)
      const textEdit = target && { range: rangeOf(target, at), text }
      return textEdit ? { resource: target.uri, versionId: undefined, textEdit } : []
    })
    return { edits }
  },
}
