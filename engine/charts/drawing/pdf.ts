import {
  appendBezierCurve,
  beginText,
  clip,
  closePath,
  concatTransformationMatrix,
  drawObject,
  endPath,
  endText,
  fill,
  fillAndStroke,
  lineTo,
  moveTo,
  PDFDocument,
  type PDFFont,
  type PDFName,
  type PDFOperator,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  StandardFonts,
  setDashPattern,
  setFillingRgbColor,
  setFontAndSize,
  setGraphicsState,
  setLineJoin,
  setLineWidth,
  setStrokingRgbColor,
  setTextMatrix,
  showText,
  stroke,
} from 'pdf-lib'
import type { Drawing, Point, Shape, Stroke, TextShape } from './drawing.ts'
import { pngOf } from './image.ts'

/** Operators of a page that are arguments of one call. */
const AT_ONCE = 1000

/** Drawings in points as a PDF with a page each, with text as text in the fonts that every PDF reader has. The same drawings give the same bytes. */
export async function pdfOf(drawings: readonly Drawing[], title: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.setTitle(title)
  document.setProducer('Mixlab')
  const fonts = {
    plain: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    symbol: await document.embedFont(StandardFonts.Symbol),
  }
  for (const drawing of drawings) await addPage(document, drawing, fonts)
  return document.save()
}

async function addPage(document: PDFDocument, { width, height, shapes }: Drawing, fonts: Fonts): Promise<void> {
  const page = document.addPage([width, height])
  const images = new Map<Shape, PDFName>()
  for (const shape of shapes.flatMap(all)) {
    if (shape.kind !== 'image') continue
    const image = await document.embedPng(pngOf(shape))
    images.set(shape, page.node.newXObject('Image', image.ref))
  }
  const writer = new PageWriter(page, height, fonts, images)
  const operators = shapes.flatMap((shape) => writer.shape(shape))
  for (let i = 0; i < operators.length; i += AT_ONCE) page.pushOperators(...operators.slice(i, i + AT_ONCE))
}

function all(shape: Shape): Shape[] {
  return shape.kind === 'clip' || shape.kind === 'series' ? shape.shapes.flatMap(all) : [shape]
}

interface Fonts {
  plain: PDFFont
  bold: PDFFont
  symbol: PDFFont
}

/** Shapes as operators of a page, whose places are from its lower left corner. */
class PageWriter {
  readonly #keys = new Map<number, PDFName>()
  readonly #page: PDFPage
  readonly #height: number
  readonly #fonts: Fonts
  readonly #images: Map<Shape, PDFName>

  constructor(page: PDFPage, height: number, fonts: Fonts, images: Map<Shape, PDFName>) {
    this.#page = page
    this.#height = height
    this.#fonts = fonts
    this.#images = images
  }

  shape(shape: Shape): PDFOperator[] {
    switch (shape.kind) {
      case 'line':
        return this.#with(shape.opacity, [...strokeOf(shape.stroke), ...this.#path(shape.points), stroke()])
      case 'area':
        return this.#filled(shape, [...this.#path(shape.points), closePath()])
      case 'dot':
        return this.#filled(shape, this.#circle(shape.x, shape.y, shape.radius))
      case 'text':
        return this.#text(shape)
      case 'image': {
        const { x, y, width, height } = shape.box
        const name = this.#images.get(shape)
        if (!name) return []
        const placed = concatTransformationMatrix(width, 0, 0, height, x, this.#height - y - height)
        return [pushGraphicsState(), placed, drawObject(name), popGraphicsState()]
      }
      case 'clip': {
        const { x, y, width, height } = shape.box
        const corners: Point[] = [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ]
        const inner = shape.shapes.flatMap((each) => this.shape(each))
        return [
          pushGraphicsState(),
          ...this.#path(corners),
          closePath(),
          clip(),
          endPath(),
          ...inner,
          popGraphicsState(),
        ]
      }
      case 'series':
        return shape.shapes.flatMap((each) => this.shape(each))
    }
  }

  #filled(look: { fill?: string; stroke?: Stroke; opacity?: number }, path: PDFOperator[]): PDFOperator[] {
    const [red, green, blue, alpha] = channels(look.fill ?? 'rgb(0, 0, 0)')
    const lined = look.stroke !== undefined && look.stroke.width > 0
    const paint = look.fill === undefined ? stroke() : lined ? fillAndStroke() : fill()
    const lines = look.stroke ? strokeOf(look.stroke) : []
    return this.#with((look.opacity ?? 1) * alpha, [setFillingRgbColor(red, green, blue), ...lines, ...path, paint])
  }

  #with(opacity: number | undefined, operators: PDFOperator[]): PDFOperator[] {
    const faint = opacity === undefined || opacity === 1 ? [] : [setGraphicsState(this.#faint(opacity))]
    return [pushGraphicsState(), ...faint, ...operators, popGraphicsState()]
  }

  #faint(opacity: number): PDFName {
    const known = this.#keys.get(opacity)
    if (known) return known
    const state = this.#page.doc.context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity })
    const name = this.#page.node.newExtGState('GS', this.#page.doc.context.register(state))
    this.#keys.set(opacity, name)
    return name
  }

  #path(points: Point[]): PDFOperator[] {
    return points.map(([x, y], i) => (i === 0 ? moveTo(x, this.#height - y) : lineTo(x, this.#height - y)))
  }

  #circle(x: number, y: number, radius: number): PDFOperator[] {
    const [middle, k] = [this.#height - y, 0.5523 * radius] // Bézier curves, to a thousandth of the radius
    const arc = (...at: [number, number, number, number, number, number]) => appendBezierCurve(...at)
    return [
      moveTo(x + radius, middle),
      arc(x + radius, middle + k, x + k, middle + radius, x, middle + radius),
      arc(x - k, middle + radius, x - radius, middle + k, x - radius, middle),
      arc(x - radius, middle - k, x - k, middle - radius, x, middle - radius),
      arc(x + k, middle - radius, x + radius, middle - k, x + radius, middle),
    ]
  }

  #text({ x, y, text, size, color, anchor, turned = 0, bold = false }: TextShape): PDFOperator[] {
    const runs = runsOf(text, bold ? this.#fonts.bold : this.#fonts.plain, this.#fonts.symbol)
    const width = runs.reduce((sum, run) => sum + run.font.widthOfTextAtSize(run.text, size), 0)
    const before = anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2
    const [cos, sin] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)]
    const [red, green, blue] = channels(color)
    const shown = runs.flatMap(({ text, font }) => {
      const name = this.#fontName(font)
      return [setFontAndSize(name, size), showText(font.encodeText(text))]
    })
    const matrix = setTextMatrix(cos, sin, -sin, cos, x - before * cos, this.#height - y - before * sin)
    return [setFillingRgbColor(red, green, blue), beginText(), matrix, ...shown, endText()]
  }

  readonly #names = new Map<PDFFont, PDFName>()

  #fontName(font: PDFFont): PDFName {
    const known = this.#names.get(font)
    if (known) return known
    const name = this.#page.node.newFontDictionary('F', font.ref)
    this.#names.set(font, name)
    return name
  }
}

function strokeOf({ color, width, dash = [] }: Stroke): PDFOperator[] {
  const [red, green, blue] = channels(color)
  return [setStrokingRgbColor(red, green, blue), setLineWidth(width), setDashPattern(dash, 0), setLineJoin(1)]
}

/** Red, green, blue and opacity, 0 to 1. */
function channels(colour: string): [number, number, number, number] {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return [red / 255, green / 255, blue / 255, alpha]
}

/** Text by the font that has its letters. The standard fonts have those of Western languages and of formulas; others become `?`. */
function runsOf(text: string, plain: PDFFont, symbol: PDFFont): { text: string; font: PDFFont }[] {
  const runs: { text: string; font: PDFFont }[] = []
  for (const letter of text.normalize('NFC')) {
    const font = [plain, symbol].find((each) => has(each, letter))
    const last = runs.at(-1)
    const [shown, used] = font ? [letter, font] : ['?', plain]
    if (last?.font === used) last.text += shown
    else runs.push({ text: shown, font: used })
  }
  return runs
}

const known = new WeakMap<PDFFont, Set<number>>()

function has(font: PDFFont, letter: string): boolean {
  const set = known.get(font) ?? new Set(font.getCharacterSet())
  known.set(font, set)
  return set.has(letter.codePointAt(0) ?? 0)
}
