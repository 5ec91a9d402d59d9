import { cellKeyOf } from '../cells.ts'
import { monaco } from '../monaco.ts'
import type { TextRange } from './protocol.ts'

/** Where in which cell a position is; what the calls of the language worker begin with. */
export function placeAt(model: monaco.editor.ITextModel, position: monaco.IPosition): [key: string, offset: number] {
  return [cellKeyOf(model), model.getOffsetAt(position)]
}

export function rangeOf(model: monaco.editor.ITextModel, { start, end }: Omit<TextRange, 'key'>): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))
}
