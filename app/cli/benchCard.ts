import type { Configuration } from '../../engine/bench/configurations.ts'
import { type CardRow, measureCard, type Style } from '../bench/card.ts'
import { openCard } from '../webgpu.ts'
import type { Terminal } from './command.ts'
import { table } from './table.ts'

const STYLES: Style[] = ['program', 'stock tfjs']

/** Training steps on the graphics card, as programs and operation by operation by stock tfjs. */
export async function benchCard(
  chosen: readonly Configuration[],
  rounds: number,
  { json, profile }: { json: boolean; profile: boolean },
  { out, err, signal }: Terminal,
): Promise<number> {
  const { name } = await openCard()
  const rows: CardRow[] = []
  for (const configuration of chosen) {
    for (const style of STYLES) {
      if (signal.aborted) break
      err(`${configuration.name}, ${style}`)
      rows.push(await measureCard(configuration, style, rounds, openCard))
    }
  }
  if (json) out(JSON.stringify({ name: 'webgpu', device: name, rounds, results: rows }))
  else print(rows, name, profile, out)
  return 0
}

function print(rows: CardRow[], device: string, profile: boolean, out: Terminal['out']): void {
  const ms = ([median, least]: CardRow['step']) => [median.toFixed(2), least.toFixed(2)]
  const lines = rows.map(({ configuration, style, step, script, asked }) => {
    const { dispatches, submits, buffers } = asked
    return [configuration, style, ...ms(step), ...ms(script), ...[dispatches, submits, buffers].map(String)]
  })
  const header = [
    'configuration',
    'style',
    'step, ms',
    'least',
    'script, ms',
    'least',
    'dispatches',
    'submits',
    'buffers',
  ]
  for (const line of table(header, lines)) out(line)
  out(`on ${device}`)
  if (!profile) return
  for (const { configuration, dispatches } of rows) {
    if (!dispatches) continue
    out('')
    const kinds = dispatches.slice(0, 16).map(({ kernel, calls, ms }) => [kernel, String(calls), ms.toFixed(3)])
    for (const line of table([`${configuration}: dispatch`, 'calls', 'ms'], kinds)) out(line)
  }
}
