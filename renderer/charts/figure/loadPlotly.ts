/// <reference path="./plotly.d.ts" />

/** Plotly is the largest script of the page, so it is loaded with the first figure. */
export const plotly = () => import('plotly.js-strict-dist-min').then((module) => module.default)
