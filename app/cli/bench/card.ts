import { type CardRow, measureCard, productRate, type Style } from '../../../engine/bench/card.ts'
import type { Configuration } from '../../../engine/bench/configurations.ts'
import { openCard } from '../../webgpu.ts'
import type { Terminal } from '../command.ts'
import { table } from '../terminal/table.ts'

const STYLES: Style[] = ['program', 'stock webgpu']

/** Training steps on the graphics card, as programs and operation by operation with the kernels of tfjs. */
export async function benchCard(
  chosen: readonly Configuration[],
  rounds: number,
  { json, profile, card }: { json: boolean; profile: boolean; card: string | null },
  { out, err, signal }: Terminal,
): Promise<number> {
  const open = () => openCard([], card)
  const { name, refused } = await open()
  if (refused) err(refused)
  const rows: CardRow[] = []
  for (const configuration of chosen) {
    for (const style of STYLES) {
      if (signal.aborted) break
      err(`${configuration.name}, ${style}`)
      rows.push(await measureCard(configuration, style, rounds, open))
    }
  }
  if (json) out(JSON.stringify({ name: 'webgpu', device: name, rounds, results: rows }))
  else print(rows, name, profile, out)
  return 0
}

/** Four digits: an emulated card is a thousand times slower than a real one. */
function gflops(rate: number): string {
  return rate.toPrecision(4)
}

function print(rows: CardRow[], device: string, profile: boolean, out: Terminal['out']): void {
  const ms = ([median, least]: CardRow['step']) => [median.toFixed(2), least.toFixed(2)]
  const lines = rows.map(({ configuration, style, step, script, asked }) => {
    const counts = [asked?.dispatches, asked?.submits, asked?.buffers].map((count) => String(count ?? '-'))
    return [configuration, style, ...ms(step), ...ms(script), ...counts]
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
  for (const { configuration, style, dispatches } of rows) {
    const rate = productRate(dispatches)
    if (!dispatches || rate === null) {
      if (style === 'program') out(`${configuration}: this card has no timestamps`)
      continue
    }
    out('')
    const kinds = dispatches
      .slice(0, 16)
      .map((kind) => [
        kind.kernel,
        String(kind.calls),
        kind.ms.toFixed(3),
        kind.operations > 0 ? gflops(kind.operations / kind.ms / 1e6) : '',
      ])
    for (const line of table([`${configuration}: dispatch`, 'calls', 'ms', 'GFLOP/s'], kinds)) out(line)
    out(`${configuration}: products at ${gflops(rate)} GFLOP/s`)
  }
}
