import { goTo, isCell, keyOf, modelAt } from '../cells.ts'
import { monaco } from '../monaco.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'

export const definition: monaco.languages.DefinitionProvider = {
  async provideDefinition(model, position) {
    const found = await language().definition(...placeAt(model, position))
    return found.flatMap((place) => {
      const target = modelAt(place.key)
      return target ? { uri: target.uri, range: rangeOf(target, place) } : []
    })
  },
}

/** Follows a definition into its cell, and selects the name there. */
export const opener: monaco.editor.ICodeEditorOpener = {
  openCodeEditor(_, resource, selection) {
    if (!isCell(resource) || !selection) return false
    goTo(keyOf({ uri: resource }), 'lineNumber' in selection ? selection : monaco.Range.getStartPosition(selection))
    return true
  },
}
