/** A text as lines of at most `width` characters, cut between words; all but the first are indented by two more. */
export function wrapped(text: string, width = 80): string[] {
  const indent = `${/^ */.exec(text)?.[0]}  `
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\S) /)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && longer.length > width) {
      lines.push(line)
      line = indent + word
    } else line = longer
  }
  return [...lines, line]
}
