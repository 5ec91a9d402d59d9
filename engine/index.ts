// What `import { ... } from 'mixlab'` gives a cell.
export { folder, idx, shapes } from './data/index.ts'
export * from './models/index.ts'
export * from './nn/index.ts'
export { compare } from './study/compare.ts'
export { image } from './tasks/index.ts'
export { adamw, lamb, sgd } from './train/optimizers/index.ts'
