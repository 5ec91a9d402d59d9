export {
  type CellConsole,
  type CellResult,
  createScope,
  type Definition,
  type EvaluateOptions,
  evaluateAll,
  evaluateEach,
  type FailedCell,
  type NotebookScope,
} from './evaluate.ts'
export { analyze, closureCode, dependenciesOf } from './graph.ts'
export { locate } from './location.ts'
export type { Modules } from './modules.ts'
export { parseNotebook } from './parse.ts'
export { printNotebook } from './print.ts'
export { type Provenance, provenanceOf } from './provenance.ts'
export { transpile } from './transpile.ts'
export type { Cell, CellFacts, NotebookFacts } from './types.ts'
