// The transforms of data sets. A new one is its file, a line here and one in index.ts.
export { mixed } from './mixed.ts'
export { noisyLabels } from './noisyLabels.ts'
export { permuted } from './permuted.ts'
export { resized } from './resized.ts'
export { subset } from './subset.ts'
