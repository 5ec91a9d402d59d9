// What `import { ... } from 'mixlab'` gives a cell.
export {
  cifar,
  folder,
  glyphs,
  idx,
  mnli,
  pointFiles,
  shapes,
  solids,
  squad,
  sst2,
  textFiles,
  textures,
  tsv,
  world,
} from './data/index.ts'
export { display, plot, table } from './display/index.ts'
export { metric } from './evaluate/index.ts'
export * from './models/index.ts'
export * from './nn/index.ts'
export { compare } from './study/compare.ts'
export { only } from './study/only.ts'
export { image, mlm, pair, points, sequence, span } from './tasks/index.ts'
export { adamw, lamb, sgd } from './train/optimizers/index.ts'
export * as recipes from './train/presets/index.ts'
