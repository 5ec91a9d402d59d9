// The data sets of series. A new one is its file and a line here.
export { seasons } from './seasons.ts'
