import { bench } from './bench.ts'
import type { CliCommand } from './command.ts'
import { conformance } from './conformance.ts'
import { convert } from './convert.ts'
import { data } from './data.ts'
import { evaluate } from './evaluate.ts'
import { exportWeights } from './export.ts'
import { info } from './info.ts'
import { open } from './open.ts'
import { predict } from './predict.ts'
import { recreate } from './recreate.ts'
import { run } from './run.ts'
import { runs } from './runs.ts'
import { serve } from './serve.ts'
import { show } from './show.ts'

// The commands. A new one is one file and one line here.
export const commands: readonly CliCommand[] = [
  open,
  serve,
  run,
  runs,
  show,
  recreate,
  exportWeights,
  predict,
  evaluate,
  convert,
  data,
  info,
  conformance,
  bench,
]
