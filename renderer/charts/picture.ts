import type { FigureStyle } from '../../engine/charts/figure/figure.ts'
import { plotlyText } from '../../engine/charts/figure/words.ts'
import { bytesOfDataUrl } from './dataUrl.ts'
import { withoutLinks } from './links.ts'
import { plotly } from './loadPlotly.ts'
import type { PlotElement } from './plotlyTypes.ts'

const LINE = 20 // px of a line of the title
const LETTER = 8 // px, about

/** A drawn figure as an image file: as it is zoomed, on the colour of its page, below its title. */
export async function pictureOf(
  element: PlotElement,
  format: 'png' | 'svg',
  title: string,
  style: FigureStyle,
): Promise<Uint8Array> {
  const { data, layout, _fullLayout, clientWidth: width, clientHeight } = element
  const { l, r, t, b } = _fullLayout._size
  const lines = wrapped(title, Math.floor(width / LETTER))
  const above = 14 + LINE * lines.length
  const height = clientHeight + above
  const titled = {
    ...layout,
    width,
    height,
    paper_bgcolor: style.surface,
    margin: { l, r, t: t + above, b, autoexpand: false },
    title: {
      text: lines.map(plotlyText).join('<br>'),
      x: 0,
      y: 1,
      yref: 'container',
      yanchor: 'top',
      pad: { l: 16, t: 12 },
      font: { size: 14 },
    },
  }
  const { toImage } = await plotly()
  return bytesOfDataUrl(await toImage(withoutLinks({ data, layout: titled }), { format, width, height, scale: 2 }))
}

/** A text in lines of at most `width` letters, broken at spaces. */
function wrapped(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}(?= |$)|\\S+`, 'g'))?.map((line) => line.trim()) ?? []
}
