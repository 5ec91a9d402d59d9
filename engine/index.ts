// What `import { ... } from 'mixlab'` gives a cell.
export { claim } from './claims/claim.ts'
export { augmentation } from './data/augment/augmentation.ts'
export * from './data/index.ts'
export { display, plot, table } from './display/index.ts'
export { accuracy, metric, r2 } from './evaluate/index.ts'
export * from './models/index.ts'
export * from './nn/index.ts'
export { crossEntropy, meanSquaredError } from './nn/losses.ts'
export * as readouts from './readouts/builtIn/index.ts'
export { readout } from './readouts/readout.ts'
export { compare } from './study/compare.ts'
export { factors } from './study/design/factors.ts'
export { only } from './study/only.ts'
export { ask } from './study/questions/index.ts'
export { weights } from './study/start/weightsFile.ts'
export { weightsOf } from './study/start/weightsOf.ts'
export { tuned } from './study/tuning/tuned.ts'
export {
  clm,
  forecast,
  image,
  mlm,
  pair,
  points,
  regression,
  segment,
  sequence,
  span,
  task,
} from './tasks/index.ts'
export {
  adamw,
  groups,
  lamb,
  lion,
  muon,
  optimizer,
  sam,
  samAdamw,
  scheduleFree,
  sgd,
} from './train/optimizers/index.ts'
export * as recipes from './train/presets/index.ts'
export { schedule } from './train/schedule.ts'
