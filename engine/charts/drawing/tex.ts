import { plainLines } from './letters.ts'

/** The dashes of a line by the name that TikZ has. */
export function dash(name = 'solid'): string {
  return { solid: 'solid', dash: 'dashed', dot: 'dotted', dashdot: 'dashdotted' }[name] ?? 'solid'
}

/** A colour as an option of TikZ. */
export function colour(color: string): string {
  const [red, green, blue] = channels(color)
  return `color={rgb,255:red,${red};green,${green};blue,${blue}}`
}

/** Red, green, blue and, where it has one, the opacity of a colour. */
export function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? ['0', '0', '0']).map(Number)
}

/** A number as TeX reads it. */
export function n(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? 'nan' : String(Number(value.toPrecision(6)))
}

/** A text of a figure in one line of TeX. */
export function tex(text: string): string {
  return plainLines(text).map(escaped).join(' ')
}

const NAMED: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '±': '$\\pm$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '−': '$-$',
  '…': '\\dots{}',
  '–': '--',
  '×': '$\\times$',
  '·': '$\\cdot$',
  '→': '$\\to$',
  '<': '$<$',
  '>': '$>$',
}

/** A text that TeX shows as it is. */
export function escaped(text: string): string {
  return text.replace(/[\\{}$&#%_~^±≤≥−…–×·→<>]/g, (sign) => NAMED[sign] ?? `\\${sign}`)
}
