/** Widths of the letters of Helvetica from the space to `~`, in thousandths of the size, as Adobe's font metrics have them. */
const WIDTHS = `278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278
556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778
667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556
556 556 333 500 278 556 500 722 500 500 500 334 260 334 584`
  .split(/\s+/)
  .map(Number)
const FIRST = 32
/** Of letters that are not among them: most are narrower; those of Chinese and Japanese, and dots left out, are as wide as high. */
const OTHER = 600
const SQUARE = 1000
const SQUARE_FROM = 0x2e80

/** The width of a text in the unit of `size`. */
export function textWidth(text: string, size: number): number {
  let sum = 0
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    sum += WIDTHS[code - FIRST] ?? (letter === '…' || code >= SQUARE_FROM ? SQUARE : OTHER)
  }
  return (sum * size) / 1000
}

/** The lines of a text of a figure, letter by letter: `<br>` begins a line, `plotlyText` wrote what else Plotly reads as its own. */
export function plainLines(text: string): string[] {
  return text.split('<br>').map((line) =>
    line
      .replace(/<\/?[bi]>/g, '')
      .replaceAll('%&#123;', '%{')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  )
}

/** A text that is at most so wide: of a longer one the start and the end. */
export function fitted(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text
  const letters = [...text]
  for (let kept = letters.length - 1; kept > 1; kept--) {
    const start = Math.ceil(kept * 0.65)
    const short = `${letters.slice(0, start).join('')}…${letters.slice(letters.length - (kept - start)).join('')}`
    if (textWidth(short, size) <= width) return short
  }
  return '…'
}

/** A text in lines of at most that width, broken at spaces where it can be. */
export function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && textWidth(`${last} ${word}`, size) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(fitted(word, size, width))
  }
  return lines
}

/** A name in lines of at most that width, broken behind `/`, `_` and spaces where it can be. */
export function nameLines(name: string, size: number, width: number): string[] {
  const lines: string[] = []
  for (const part of name.split(/(?<=[/_ ])/)) {
    const last = lines.at(-1)
    if (last !== undefined && textWidth((last + part).trimEnd(), size) <= width) lines[lines.length - 1] = last + part
    else lines.push(part)
  }
  return lines.map((line) => fitted(line.trimEnd(), size, width))
}

/** The letter of a panel: `(a)` of the first, `(aa)` of the 27th. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (index % 26))
  return `(${letter.repeat(1 + Math.floor(index / 26))})`
}
