import { cellKeyOf, goTo, isCell } from '../cells.ts'
import { declarationModel, isDeclaration, showDeclaration } from '../declaration.ts'
import { monaco } from '../monaco.ts'
import { modelAt } from '../shown.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'

export const definition: monaco.languages.DefinitionProvider = {
  async provideDefinition(model, position) {
    const found = await language().definition(...placeAt(model, position))
    return found.flatMap((place) => {
      const target = 'path' in place ? declarationModel(place) : modelAt(place.key)
      return target ? { uri: target.uri, range: rangeOf(target, place) } : []
    })
  },
}

/** Follows a definition into its cell and selects the name there, or shows the declarations that have it. */
export const opener: monaco.editor.ICodeEditorOpener = {
  openCodeEditor(_, resource, selection) {
    if (!selection) return false
    const position = 'lineNumber' in selection ? selection : monaco.Range.getStartPosition(selection)
    if (isCell(resource)) goTo(cellKeyOf({ uri: resource }), position)
    else if (isDeclaration(resource)) showDeclaration(resource, position)
    else return false
    return true
  },
}
