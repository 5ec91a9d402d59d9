// How a cell shows values.
export { display } from './display.ts'
export { plot } from './plot.ts'
export { table } from './table.ts'
