import type { monaco } from '../monaco.ts'

/** The texts that an edit puts into a model. */
export interface ModelEdit {
  model: monaco.editor.ITextModel
  texts: string[]
}

/**
 * Makes one of an edit of several models that is about to be made: where it is undone or redone in one, it is in the
 * others, unless they have changed since.
 */
export function together(edits: ModelEdit[]): void {
  const parts = edits.map(({ model }) => ({ model, before: model.getAlternativeVersionId(), after: Number.NaN }))
  const move = (from: 'before' | 'after', by: 'undo' | 'redo') => {
    for (const part of parts) {
      if (!part.model.isDisposed() && part.model.getAlternativeVersionId() === part[from]) void part.model[by]()
    }
  }
  parts.forEach((part, i) => {
    const { model, before } = part
    const listener = model.onDidChangeContent(({ changes, isUndoing, isRedoing }) => {
      const version = model.getAlternativeVersionId()
      if (Number.isNaN(part.after)) {
        if (same(changes, edits[i]?.texts ?? [])) part.after = version
        else listener.dispose() // the edit was not made
      } else if (isUndoing && version === before) move('after', 'undo')
      else if (isRedoing && version === part.after) move('before', 'redo')
    })
  })
}

function same(changes: { text: string }[], texts: string[]): boolean {
  return JSON.stringify(changes.map(({ text }) => text).sort()) === JSON.stringify(texts.toSorted())
}
