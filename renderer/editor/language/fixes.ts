import { monaco } from '../monaco.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'

/** The quick fixes of a cell, by Ctrl+. or the light bulb. */
export const codeActions: monaco.languages.CodeActionProvider = {
  async provideCodeActions(model, range, context) {
    // the light bulb asks for every editor as it is made: without a problem there is nothing to start the worker for
    if (context.trigger === monaco.languages.CodeActionTriggerType.Auto && context.markers.length === 0)
      return { actions: [], dispose() {} }
    const [key, start] = placeAt(model, monaco.Range.getStartPosition(range))
    const end = model.getOffsetAt(monaco.Range.getEndPosition(range))
    const found = await language().fixes(key, start, end)
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
