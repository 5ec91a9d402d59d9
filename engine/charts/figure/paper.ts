import { MixlabError } from '../../errors.ts'
import type { FigureStyle } from './figure.ts'

/** The paper that a figure is for: its width in centimetres, and the size of its letters in points. */
export interface Paper {
  width: number
  font: number
}

/** A column of a paper with two of them, and 8 points. */
export const COLUMN: Paper = { width: 8.5, font: 8 }
/** Both columns. */
export const PAGE_WIDTH = 17.5
/** What a page has below its margins, less a caption of some lines. */
export const PAGE_HEIGHT = 22

const WIDTHS = { least: 4, most: 60 }
const FONTS = { least: 7, most: 24 }
/** Pixels of the letters that the sizes of figures go by. */
const LETTER = 11

/** Throws MixlabError `option` with `path` before the name of what is wrong: 4 to 60 cm, letters of 7 to 24 points. */
export function checkPaper({ width, font }: Paper, path = ''): Paper {
  within(width, WIDTHS, `${path}width`, 'cm')
  within(font, FONTS, `${path}font`, 'pt')
  return { width, font }
}

function within(value: number, { least, most }: { least: number; most: number }, path: string, unit: string): void {
  if (value >= least && value <= most) return
  throw new MixlabError('option', path, `${value} ${unit}, expected ${least} to ${most} ${unit}`)
}

/** Centimetres in points. */
export const pointsOf = (centimetres: number) => (72 / 2.54) * centimetres

/** Width and letters in points. */
export function sheetOf({ width, font }: Paper): { width: number; font: number } {
  return { width: pointsOf(width), font }
}

/** How figures look on paper: every series has its own dashes and symbols besides its colour, which all eyes tell apart. */
export function paperStyle({ width, font }: Paper): FigureStyle {
  return {
    series: SERIES,
    text: 'rgb(0, 0, 0)',
    muted: 'rgb(70, 70, 70)',
    grid: 'rgb(222, 222, 222)',
    surface: 'rgb(255, 255, 255)',
    font: 'Helvetica',
    distinct: true,
    room: (pointsOf(width) * LETTER) / font,
    page: (pointsOf(PAGE_HEIGHT) * LETTER) / font,
  }
}

/** Near Okabe and Ito's, moved until no two come closer in OKLab than 0.1 for any kind of colour vision. */
const SERIES = [
  'rgb(0, 101, 170)',
  'rgb(235, 87, 19)',
  'rgb(18, 155, 105)',
  'rgb(167, 165, 178)',
  'rgb(240, 156, 0)',
  'rgb(92, 170, 255)',
  'rgb(68, 68, 68)',
]
