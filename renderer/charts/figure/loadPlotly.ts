/// <reference path="./plotly.d.ts" />
import type { Plotly } from './plotlyTypes.ts'

let loading: Promise<Plotly> | null = null

/** Plotly is the largest script of the page, so it is loaded with the first figure. Once it is, it comes within the task. */
export function plotly(): Promise<Plotly> {
  loading ??= import('plotly.js-strict-dist-min').then((module) => module.default)
  loading.catch(() => {
    loading = null
  })
  return loading
}
