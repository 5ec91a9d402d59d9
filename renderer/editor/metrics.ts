/** Of a line, in an editor and in text that looks like one; pixels. */
export const LINE_HEIGHT = 20
export const FONT_SIZE = 13
export const FONT = `Menlo, Monaco, Consolas, 'Droid Sans Mono', 'Courier New', monospace`
