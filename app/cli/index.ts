import type { CliCommand } from './command.ts'

/** The commands of the command line (CLI), each loaded when it is called. A new one is one file and one line here. */
export const commands: Readonly<Record<string, () => Promise<CliCommand>>> = {
  open: async () => (await import('./open.ts')).open,
  serve: async () => (await import('./serve.ts')).serve,
  run: async () => (await import('./run.ts')).run,
  work: async () => (await import('./work.ts')).work,
  machines: async () => (await import('./machines.ts')).machines,
  import: async () => (await import('./import.ts')).importRuns,
  plan: async () => (await import('./plan.ts')).plan,
  family: async () => (await import('./training/family.ts')).family,
  runs: async () => (await import('./runs.ts')).runs,
  show: async () => (await import('./show.ts')).show,
  recreate: async () => (await import('./recreate.ts')).recreate,
  examples: async () => (await import('./examples.ts')).examples,
  export: async () => (await import('./export.ts')).exportWeights,
  figure: async () => (await import('./figure.ts')).figure,
  predict: async () => (await import('./predict.ts')).predict,
  explain: async () => (await import('./explain.ts')).explain,
  generate: async () => (await import('./generate.ts')).generate,
  evaluate: async () => (await import('./evaluate.ts')).evaluate,
  convert: async () => (await import('./convert.ts')).convert,
  data: async () => (await import('./data.ts')).data,
  model: async () => (await import('./model.ts')).model,
  info: async () => (await import('./info.ts')).info,
  conformance: async () => (await import('./conformance.ts')).conformance,
  bench: async () => (await import('./bench.ts')).bench,
}
