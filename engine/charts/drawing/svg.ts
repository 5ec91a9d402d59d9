import type { Drawing, Point, Shape, Stroke } from './drawing.ts'
import { pngUrl } from './image.ts'

export interface SvgOptions {
  /** The unit of the drawing; `pt` for paper. Without one it is as wide as what is around it. */
  unit?: 'pt' | 'px'
  /** What a screen reader says. */
  label: string
  /** Words under the pointer, of dots, bars and cells. */
  said?: boolean
  /** The ground; none if left out. */
  ground?: string
}

/** The fonts that measure as the layout does come first. */
const FONTS = "Helvetica, Arial, 'Liberation Sans', sans-serif"

/** A drawing as SVG, with text as text. */
export function svgOf({ width, height, shapes }: Drawing, { unit, label, said = false, ground }: SvgOptions): string {
  const write = (shape: Shape): string => {
    switch (shape.kind) {
      case 'line':
        return `<polyline points="${pointsOf(shape.points)}" fill="none"${strokeOf(shape.stroke)}${faint(shape.opacity)}/>`
      case 'area': {
        const look = `fill="${shape.fill ?? 'none'}"${strokeOf(shape.stroke)}${faint(shape.opacity)}`
        return marked('polygon', `points="${pointsOf(shape.points)}" ${look}`, said ? shape.said : undefined)
      }
      case 'dot': {
        const place = `cx="${n(shape.x)}" cy="${n(shape.y)}" r="${n(shape.radius)}"`
        const look = `fill="${shape.fill}"${strokeOf(shape.stroke)}${faint(shape.opacity)}`
        return marked('circle', `${place} ${look}`, said ? shape.said : undefined)
      }
      case 'text': {
        const turned = shape.turned ? ` transform="rotate(${-shape.turned} ${n(shape.x)} ${n(shape.y)})"` : ''
        const look = `font-size="${n(shape.size)}" fill="${shape.color}"${shape.bold ? ' font-weight="bold"' : ''}`
        const anchor = shape.anchor === 'start' ? '' : ` text-anchor="${shape.anchor}"`
        return `<text x="${n(shape.x)}" y="${n(shape.y)}" ${look}${anchor}${turned}>${escaped(shape.text)}</text>`
      }
      case 'image': {
        const { x, y, width, height } = shape.box
        const box = `x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"`
        return `<image ${box} preserveAspectRatio="none" style="image-rendering: pixelated" href="${pngUrl(shape)}"/>`
      }
      case 'clip': {
        const { x, y, width, height } = shape.box
        // nested, since the name of a clip path would have to be its own among all drawings of a page
        return `<svg x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" viewBox="${n(x)} ${n(y)} ${n(width)} ${n(height)}">${shape.shapes.map(write).join('')}</svg>`
      }
      case 'series':
        return `<g data-series="${escaped(shape.name)}">${shape.shapes.map(write).join('')}</g>`
    }
  }
  const size = unit ? ` width="${n(width)}${unit}" height="${n(height)}${unit}"` : ''
  const back = ground ? `<rect width="${n(width)}" height="${n(height)}" fill="${ground}"/>` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg"${size} viewBox="0 0 ${n(width)} ${n(height)}" role="img" aria-label="${escaped(label)}" font-family="${FONTS}">${back}${shapes.map(write).join('\n')}</svg>`
}

function marked(name: string, attributes: string, said: string | undefined): string {
  return said ? `<${name} ${attributes}><title>${escaped(said)}</title></${name}>` : `<${name} ${attributes}/>`
}

function pointsOf(points: Point[]): string {
  return points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')
}

function strokeOf(stroke: Stroke | undefined): string {
  if (!stroke || stroke.width === 0) return ''
  const dash = stroke.dash ? ` stroke-dasharray="${stroke.dash.map(n).join(' ')}"` : ''
  return ` stroke="${stroke.color}" stroke-width="${n(stroke.width)}"${dash} stroke-linejoin="round"`
}

function faint(opacity: number | undefined): string {
  return opacity === undefined || opacity === 1 ? '' : ` opacity="${n(opacity)}"`
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
