import { cellKeyOf, goTo, isCell } from '../cells.ts'
import { declarationModel, isDeclaration, showDeclaration } from '../declaration.ts'
import { monaco } from '../monaco.ts'
import { modelAt } from '../shown.ts'
import { language } from './client.ts'
import { completion } from './completion.ts'
import { placeAt, rangeOf } from './places.ts'

const rename: monaco.languages.RenameProvider = {
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
      if (!target) return []
      return { resource: target.uri, versionId: undefined, textEdit: { range: rangeOf(target, at), text } }
    })
    return { edits }
  },
}

/** The quick fixes of a cell, by Ctrl+. or the light bulb. */
const codeActions: monaco.languages.CodeActionProvider = {
  async provideCodeActions(model, range, context) {
    // the light bulb asks for every editor as it is made: without a problem there is nothing to start the worker for
    if (context.trigger === monaco.languages.CodeActionTriggerType.Auto && context.markers.length === 0)
      return { actions: [], dispose() {} }
    const [key, start] = placeAt(model, monaco.Range.getStartPosition(range))
    const end = model.getOffsetAt(monaco.Range.getEndPosition(range))
    const found = await language().fixes(key, start, end)
    if (model.isDisposed()) return { actions: [], dispose() {} } // the cell was deleted meanwhile
    const actions = found.map(({ title, kind, edits }, index) => ({
      title,
      kind: 'quickfix',
      diagnostics: context.markers,
      isPreferred: index === 0 && kind === 'import',
      edit: {
        edits: edits.map(({ at, text }) => ({
          resource: model.uri,
          versionId: model.getVersionId(),
          textEdit: { range: rangeOf(model, at), text },
        })),
      },
    }))
    return { actions, dispose() {} }
  },
}

const definition: monaco.languages.DefinitionProvider = {
  async provideDefinition(model, position) {
    const found = await language().definition(...placeAt(model, position))
    return found.flatMap((place) => {
      const target = 'path' in place ? declarationModel(place) : modelAt(place.key)
      return target ? { uri: target.uri, range: rangeOf(target, place) } : []
    })
  },
}

/** Follows a definition into its cell and selects the name there, or shows the declarations that have it. */
const opener: monaco.editor.ICodeEditorOpener = {
  openCodeEditor(_, resource, selection) {
    if (!selection) return false
    const position = 'lineNumber' in selection ? selection : monaco.Range.getStartPosition(selection)
    if (isCell(resource)) goTo(cellKeyOf({ uri: resource }), position)
    else if (isDeclaration(resource)) showDeclaration(resource, position)
    else return false
    return true
  },
}

const signature: monaco.languages.SignatureHelpProvider = {
  signatureHelpTriggerCharacters: ['(', ','],

  async provideSignatureHelp(model, position) {
    const found = await language().signature(...placeAt(model, position))
    if (!found) return null
    const signatures = found.signatures.map((each) => ({ ...each, documentation: { value: each.documentation } }))
    const value = { activeSignature: found.signature, activeParameter: found.parameter, signatures }
    return { value, dispose() {} }
  },
}

const hover: monaco.languages.HoverProvider = {
  async provideHover(model, position) {
    const found = await language().hover(...placeAt(model, position))
    if (!found || model.isDisposed()) return null
    const contents = [`\`\`\`typescript\n${found.type}\n\`\`\``, found.documentation]
    return { range: rangeOf(model, found.at), contents: contents.map((value) => ({ value })) }
  },
}

const CODE = { language: 'typescript', scheme: 'cell' }

/** Gives the editors of code cells what TypeScript knows. The worker that knows it starts with the first question. */
export function registerLanguage(): void {
  monaco.languages.registerCompletionItemProvider(CODE, completion)
  monaco.languages.registerCodeActionProvider(CODE, codeActions)
  monaco.languages.registerHoverProvider(CODE, hover)
  monaco.languages.registerSignatureHelpProvider(CODE, signature)
  monaco.languages.registerDefinitionProvider(CODE, definition)
  monaco.languages.registerRenameProvider(CODE, rename)
  monaco.editor.registerEditorOpener(opener)
}
