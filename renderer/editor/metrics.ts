/** Of a line, in an editor and in text that looks like one; pixels. */
export const LINE_HEIGHT = 20
export const FONT_SIZE = 13
export const FONT = `Menlo, Monaco, Consolas, 'Droid Sans Mono', 'Courier New', monospace`

/** How many lines of a cell are shown; a longer one scrolls. */
export const MAX_LINES = 300

/** The height of the lines of a text, as far as they are shown; pixels. */
export function heightOf(text: string): number {
  return LINE_HEIGHT * Math.min(MAX_LINES, text.split('\n').length)
}
