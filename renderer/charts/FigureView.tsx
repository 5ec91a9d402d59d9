import { useEffect, useRef } from 'react'
import type { AnyTrace, Figure } from './figure.ts'

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: false }

/** Plotly is the largest script of the page, so it is loaded with the first figure. */
const plotly = () => import('plotly.js-strict-dist-min').then((module) => module.default)

/** Draws a figure and keeps it the size of its box. */
export function FigureView({ figure, label }: { figure: Figure<AnyTrace>; label: string }) {
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let current = true
    const element = box.current
    if (element) void plotly().then((it) => current && it.react(element, figure.data, figure.layout, CONFIG))
    return () => {
      current = false
    }
  }, [figure])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const resize = () => {
      if (element.classList.contains('js-plotly-plot')) void plotly().then((it) => it.Plots.resize(element))
    }
    const observer = new ResizeObserver(resize)
    observer.observe(element)
    return () => {
      observer.disconnect()
      void plotly().then((it) => it.purge(element))
    }
  }, [])

  return <div className="figure" ref={box} role="img" aria-label={label} />
}
