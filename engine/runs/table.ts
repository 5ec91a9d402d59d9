import type { Column } from './column.ts'
import { cellText, columnTitle, isNumeric } from './format.ts'
import type { CellValue, Spread } from './types.ts'

/** Runs or groups as texts. */
export interface TextTable {
  header: string[]
  /** Which columns stand to the right. */
  numeric: boolean[]
  rows: string[][]
}

/** The table of the values of runs or groups, one per column. */
export function textTable(columns: Column[], rows: (CellValue | Spread)[][]): TextTable {
  return {
    header: columns.map(columnTitle),
    numeric: columns.map((column, i) => isNumeric(column) || rows.every((row) => typeof row[i] !== 'string')),
    rows: rows.map((row) => columns.map((column, i) => cellText(column, row[i] ?? null))),
  }
}

/** A table as Markdown, its columns aligned. */
export function toMarkdown({ header, numeric, rows }: TextTable): string {
  const [titles = [], ...cells] = [header, ...rows].map((row) => row.map(markdownText))
  const widths = titles.map((title, i) => Math.max(3, title.length, ...cells.map((row) => row[i]?.length ?? 0)))
  const pad = (text: string, i: number) => (numeric[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0))
  const line = (row: string[]) => `| ${row.map(pad).join(' | ')} |\n`
  const rule = widths.map((width, i) => (numeric[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [titles, rule, ...cells].map(line).join('')
}

/** Text in Markdown, in one line. */
export function markdownText(text: string): string {
  return text.replace(/[\\|`*_~$<[\]]|&(?=#?\w+;)/g, '\\$&').replace(/\s+/g, ' ')
}

/** Characters of a text above which its column breaks lines in LaTeX. */
const LONG = 40

/** A table as LaTeX for the package booktabs. */
export function toLatex({ header, numeric, rows }: TextTable): string {
  const line = (row: string[]) => `  ${row.map(latexCell).join(' & ')} \\\\\n`
  const isLong = (column: number) => rows.some((row) => (row[column]?.length ?? 0) > LONG)
  const columns = numeric.map((right, i) => (right ? 'r' : isLong(i) ? 'p{0.35\\linewidth}' : 'l')).join('')
  const head = `\\begin{tabular}{${columns}}\n  \\toprule\n${line(header)}  \\midrule\n`
  return `${head}${rows.map(line).join('')}  \\bottomrule\n\\end{tabular}\n`
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '–': '--',
  '±': '$\\pm$',
}

function latexCell(text: string): string {
  const [, mean, sd, rest] = /^(-?[\d.]+) ± ([\d.]+)( \(\d+\))$/.exec(text) ?? []
  if (mean !== undefined) return `$${mean} \\pm ${sd}$${rest}`
  return latexText(text)
}

/** Text in LaTeX, in one line. */
export function latexText(text: string): string {
  const plain = text.replace(/\s+/g, ' ').replace(/[\\~^<>|–±]|[&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`)
  return plain.replace(/(?<=^| )-(?=\d)/g, '$$-$$') // a minus, not a hyphen
}
