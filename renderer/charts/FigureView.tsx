import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { AnyTrace, PlotlyFigure } from '../../engine/charts/figure/figure.ts'
import { useDrawTurn } from './drawQueue.ts'
import { type Range, runOf, zoomOf } from './events.ts'
import { withoutLinks } from './links.ts'
import { plotly } from './loadPlotly.ts'
import type { PlotElement, Plotly, PlotPoint } from './plotlyTypes.ts'

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: false }

interface FigureViewProps {
  figure: PlotlyFigure<AnyTrace>
  label: string
  /** Where the element goes, for those who take pictures of it. */
  ref?: RefObject<HTMLDivElement | null>
  /** A point or line was clicked that belongs to a run. */
  onRun?(run: number): void
  /** A point was clicked, by its place on the axes, where that is not for its run. */
  onPoint?: ((x: number, y: number) => void) | undefined
  /** Another part of the x axis is shown; null for all of it. */
  onZoom?(range: Range | null): void
}

/** Draws a figure when it is due, and keeps it the size of its box. What is zoomed stays so while `uirevision` of the layout does. */
export function FigureView({ figure, label, ref, onRun, onPoint, onZoom }: FigureViewProps) {
  const own = useRef<HTMLDivElement>(null)
  const box = ref ?? own

  const clicked = useEffectEvent((points: PlotPoint[], top: number) => {
    const [first] = points
    if (onPoint && first) return onPoint(Number(first.x), Number(first.y))
    const run = runOf(points, top)
    if (run !== null) onRun?.(run)
  })
  const zoomed = useEffectEvent((range: Range | null | undefined) => {
    if (range !== undefined) onZoom?.(range)
  })

  const due = useDrawTurn(box)
  const drawn = useRef<typeof figure>(null)

  useEffect(() => {
    if (!due || drawn.current === figure) return
    let current = true
    const element = box.current
    void plotly().then((it) => {
      if (!current || !element) return
      const first = !('on' in element) // Plotly adds it, and purge takes it away
      const { data, layout } = withoutLinks(figure)
      void it.react(element, data, layout, CONFIG)
      drawn.current = figure
      if (!first) return
      const plot = element as HTMLElement as PlotElement
      plot.on('plotly_click', ({ points, event }) =>
        clicked(points, event.clientY - element.getBoundingClientRect().top),
      )
      plot.on('plotly_relayout', (change) => zoomed(zoomOf(change, plot.layout)))
    })
    return () => {
      current = false
    }
  }, [figure, box, due])

  useEffect(() => {
    const element = box.current
    if (!element || !due) return
    const observer = new ResizeObserver(() => {
      void plotly().then((it) => (isOutgrown(element) ? resize(it, element) : undefined))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, due])

  useEffect(() => {
    const element = box.current
    return () => {
      drawn.current = null
      if (element) void plotly().then((it) => it.purge(element))
    }
  }, [box])

  return <div className="figure" ref={box} role="img" aria-label={label} />
}

/** Draws a figure in the size of its box: once more where its margins have changed, since Plotly leaves the legend at the old ones. */
async function resize(it: Plotly, element: HTMLElement): Promise<void> {
  const top = () => (isDrawn(element) ? element._fullLayout._size.t : 0)
  const before = top()
  await it.Plots.resize(element)
  if (isDrawn(element) && top() !== before) await it.redraw(element)
}

/** Whether there is a figure in an element: of one that was taken away, Plotly leaves the name of the class. */
export function isDrawn(element: HTMLElement): element is PlotElement {
  return element.classList.contains('js-plotly-plot') && '_fullLayout' in element
}

/** Whether a figure is drawn in another size than that of its box. Plotly resizes nothing that is hidden, or gone by now. */
function isOutgrown(element: HTMLElement): boolean {
  if (!isDrawn(element) || element.getClientRects().length === 0) return false
  const { width, height } = element._fullLayout
  return Math.abs(element.clientWidth - width) > 1 || Math.abs(element.clientHeight - height) > 1
}
