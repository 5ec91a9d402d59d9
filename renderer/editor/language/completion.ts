import { monaco } from '../monaco.ts'
import { modelAt } from '../shown.ts'
import { language } from './client.ts'
import { placeAt, rangeOf } from './places.ts'
import type { Completion } from './protocol.ts'

const { CompletionItemKind, CompletionItemTag } = monaco.languages

/** Pictures for TypeScript's words for what something is; others are properties. */
const KINDS: Record<string, monaco.languages.CompletionItemKind> = {
  alias: CompletionItemKind.Variable,
  class: CompletionItemKind.Class,
  const: CompletionItemKind.Variable,
  enum: CompletionItemKind.Enum,
  function: CompletionItemKind.Function,
  interface: CompletionItemKind.Interface,
  keyword: CompletionItemKind.Keyword,
  let: CompletionItemKind.Variable,
  'local function': CompletionItemKind.Function,
  'local var': CompletionItemKind.Variable,
  method: CompletionItemKind.Method,
  module: CompletionItemKind.Module,
  parameter: CompletionItemKind.Variable,
  'primitive type': CompletionItemKind.Keyword,
  string: CompletionItemKind.Constant,
  type: CompletionItemKind.Interface,
  var: CompletionItemKind.Variable,
}

interface Item extends monaco.languages.CompletionItem {
  place: ReturnType<typeof placeAt>
  completion: Completion
}

export const completion: monaco.languages.CompletionItemProvider = {
  triggerCharacters: ['.', "'", '"', '`', '/', '@'],

  async provideCompletionItems(model, position) {
    const word = model.getWordUntilPosition(position)
    const { lineNumber } = position
    const here = new monaco.Range(lineNumber, word.startColumn, lineNumber, word.endColumn)
    const place = placeAt(model, position)
    const found = await language().complete(...place)
    if (model.isDisposed()) return null
    const suggestions = found.map(
      (each): Item => ({
        place,
        completion: each,
        label: each.module === null ? each.name : { label: each.name, description: each.module },
        insertText: each.name,
        kind: KINDS[each.kind] ?? CompletionItemKind.Property,
        sortText: each.sortText,
        tags: each.deprecated ? [CompletionItemTag.Deprecated] : [],
        range: each.replaces ? rangeOf(model, each.replaces) : here,
      }),
    )
    return { suggestions }
  },

  async resolveCompletionItem(item) {
    const { place, completion } = item as Item
    const [found, edits] = await Promise.all([
      language().describe(...place, completion),
      completion.module === null ? [] : language().importing(place[0], completion),
    ])
    const model = edits.length > 0 ? modelAt(place[0]) : null
    return {
      ...item,
      ...(found && { detail: found.type, documentation: { value: found.documentation } }),
      ...(model && { additionalTextEdits: edits.map(({ at, text }) => ({ range: rangeOf(model, at), text })) }),
    }
  },
}
