import { keyOf } from '../cells.ts'
import { monaco } from '../monaco.ts'
import type { Place } from './protocol.ts'

/** Where in which cell a position is; what the calls of the language worker begin with. */
export function placeAt(model: monaco.editor.ITextModel, position: monaco.IPosition): [key: string, offset: number] {
  return [keyOf(model), model.getOffsetAt(position)]
}

export function rangeOf(model: monaco.editor.ITextModel, { start, end }: Omit<Place, 'key'>): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))
}
