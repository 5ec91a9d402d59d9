/** Rows as aligned columns, two spaces apart; columns whose cells are all numbers stand to the right. */
export function table(header: string[], rows: string[][]): string[] {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const numeric = header.map((_, i) => rows.length > 0 && rows.every((row) => /^[\d.,%-]*$/.test(row[i] ?? '')))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(header), ...rows.map(line)]
}
