/** Rows as aligned columns, two spaces apart; columns of numbers stand to the right, by default those with digits alone. */
export function table(header: string[], rows: string[][], numbers?: boolean[]): string[] {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const digits = (i: number) => rows.length > 0 && rows.every((row) => /^[\d.,%-]*$/.test(row[i] ?? ''))
  const numeric = numbers ?? header.map((_, i) => digits(i))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(header), ...rows.map(line)]
}
