/// <reference path="./plotly.d.ts" />
import type { Plotly } from './plotlyTypes.ts'

let loading: Promise<Plotly> | null = null

/** Plotly is the largest script of the page, so it is loaded with the first figure. Once it is, it comes within the task. */
export function plotly(): Promise<Plotly> {
  loading ??= load()
  return loading
}

async function load(): Promise<Plotly> {
  try {
    return (await import('plotly.js-cartesian-dist-min')).default
  } catch (error) {
    loading = null // the next figure tries again
    throw error
  }
}
