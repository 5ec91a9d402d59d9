import type { StoredExport } from '../../engine/records/exports.ts'
import { meaningText } from '../../engine/records/meaning.ts'
import type { RunReport } from '../../engine/records/report.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { metricTitle } from '../../engine/records/splits.ts'
import { duration } from '../../engine/study/duration.ts'
import type { CliCommand } from './command.ts'
import { withHost } from './given/host.ts'
import { grouped } from './given/numbers.ts'
import { reportLines } from './model/report.ts'
import { table } from './terminal/table.ts'

export const show: CliCommand = {
  name: 'show',
  synopsis: '<run>',
  summary: 'show one run: its metrics, report, spec and code',
  words: [1, 1],
  options: {},
  run: async (given, output) => {
    return withHost(given, async (host) => {
      const found = await host.showRun(given.words[0] ?? '')
      const report = await host.readReport(found.id)
      const exports = await host.listExports(found.id)
      if (given.options.json) output.out(JSON.stringify({ ...found, report, exports }))
      else for (const line of lines(found, report, exports)) output.out(line)
      return 0
    })
  },
}

/** The data of a run, where it comes from, and what it was trained with. */
function provenance({ spec, origin, environment }: StoredRunDetails): [string, string][] {
  const { data } = spec as { data?: unknown }
  const cell = origin && [origin.cell, ...(origin.notebook ? [`of ${origin.notebook}`] : [])].join(' ')
  const facts = Object.entries({ data, cell, ...environment })
  return facts.flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]]))
}

function lines(run: StoredRunDetails, report: RunReport | null, exports: StoredExport[]): string[] {
  const facts: [string, string][] = [
    ['run', `${run.id}  ${run.study}/${run.variant}/${run.seed}`],
    ['key', run.key],
    ['status', run.error ? `${run.status}: ${run.error}` : run.status],
    ['steps', `${run.step} of ${run.steps}`],
    ['parameters', grouped(run.parameters)],
    ...(run.macs === null ? [] : [['macs', grouped(run.macs)] satisfies [string, string]]),
    ['backend', `${run.backend}, ${run.device}`],
    ...provenance(run),
    ['started', new Date(run.startedAt).toISOString()],
    ['took', duration(run.ms / 1000)],
    ['weights', run.hasWeights ? `mixlab export ${run.id} -o weights.safetensors` : 'none'],
    ...exports.map(({ format, sha256, examples, difference }): [string, string] => [
      'exported',
      `${format} ${sha256.slice(0, 12)}, off by ${difference.toExponential(1)} at most on ${examples} examples`,
    ]),
  ]
  const metrics = Object.entries(run.metrics).map(([name, { last, best, bestStep, meaning }]) => {
    return [
      metricTitle(name, name, meaning?.exploratory),
      last.toPrecision(5),
      best.toPrecision(5),
      String(bestStep),
      meaning ? meaningText(meaning) : '',
    ]
  })
  return [
    ...facts.map(([name, value]) => `${name.padEnd(12)} ${value}`),
    '',
    ...table(['metric', 'last', 'best', 'at step', 'meaning'], metrics),
    '',
    ...(report ? [...reportLines(report), ''] : []),
    JSON.stringify(run.spec, null, 2),
    '',
    run.code,
  ]
}
