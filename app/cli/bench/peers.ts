import { availableParallelism, cpus } from 'node:os'
import type { Configuration } from '../../../engine/bench/configurations.ts'
import type { Rates } from '../../../engine/bench/peak.ts'
import { bestTorch, comparePeers, type PeerRow, peerName } from '../../bench/compare.ts'
import { describePeer, type PeerModel } from '../../bench/description.ts'
import { startPeer } from '../../bench/peerProcess.ts'
import { findTorch, listPeers, type Torch, tfjsPeer } from '../../bench/peers.ts'
import { EXIT, type Terminal } from '../command.ts'
import { table } from '../terminal/table.ts'

/** `bench --peers`: each configuration by this engine, the stock backends of tfjs, and PyTorch. Returns the exit code. */
export async function benchPeers(
  configurations: readonly Configuration[],
  rounds: number,
  json: boolean,
  output: Terminal,
): Promise<number> {
  const { signal } = output
  const torch = await findTorch()
  const machine = machineOf(torch)
  const rates = await measuredRates()
  if (!json) for (const line of heading(machine, rates)) output.out(line)

  const results: { name: string; floor: Floor; rows: PeerRow[]; best: Record<'torch' | 'tuned', PeerRow | null> }[] = []
  for (const configuration of configurations) {
    const { name } = configuration
    const onTurn = (turn: string) => output.redraw?.(`${name}: ${turn}`)
    const description = await describePeer(configuration)
    const floor = floorOf(description, rates, machine.cores)
    const rows = await comparePeers(description, listPeers(torch), { rounds, signal, onTurn })
    if (signal.aborted) break
    results.push({ name, floor, rows, best: { torch: bestTorch(rows), tuned: bestTorch(rows, 'torch, tuned') } })
    if (!json) for (const line of ['', ...peerTable(name, rows, floor)]) output.out(line)
  }
  if (json) {
    const fma = { gflops: rates.fma }
    const matmul = { gflops: rates.matmul, ratio: rates.matmul / rates.fma }
    output.out(JSON.stringify({ machine, fma, matmul, rounds, configurations: results }))
  }
  return signal.aborted ? EXIT.interrupted : 0
}

/** Milliseconds of the multiply-adds alone, at the most that all cores do with vectors of 128 bits. */
export type Floor = Record<'train' | 'forward', number>

export function floorOf({ macs }: Pick<PeerModel, 'macs'>, { fma }: Pick<Rates, 'fma'>, cores: number): Floor {
  const ms = (count: number) => (2 * count) / (fma * cores) / 1e6
  return { train: ms(macs.train), forward: ms(macs.forward) }
}

/** The rows of one configuration as lines. */
export function peerTable(name: string, rows: readonly PeerRow[], floor: Floor): string[] {
  const best = [bestTorch(rows), bestTorch(rows, 'torch, tuned')]
  const header = [name, 'threads', 'step, ms', 'least', 'forward, ms', 'least', 'peak, MB', 'ratio', '']
  const cells = rows.map((row) => [
    peerName(row),
    String(row.threads ?? '-'),
    ...[row.train?.[0], row.train?.[1], row.forward?.[0], row.forward?.[1]].map((ms) => ms?.toFixed(1) ?? '-'),
    row.peakBytes === null ? '-' : (row.peakBytes / 1e6).toFixed(0),
    row.ratio?.toFixed(2) ?? '-',
    row.note ?? (best.includes(row) ? 'best of torch' : ''),
  ])
  const bound = ['multiply-adds alone', '', floor.train.toFixed(1), '', floor.forward.toFixed(1)]
  return table(header, [...cells, bound])
}

interface Machine {
  cpu: string
  cores: number
  node: string
  torch: string | null
  /** What is set for BLAS and the threads of PyTorch. */
  environment: Record<string, string>
}

function machineOf(torch: Torch | null): Machine {
  const set = Object.entries(process.env).filter(([name]) => /^(OPENBLAS|OMP|MKL)_/.test(name))
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    node: process.versions.node,
    torch: torch?.version ?? null,
    environment: Object.fromEntries(set) as Record<string, string>,
  }
}

function heading({ cpu, cores, node, torch, environment }: Machine, { fma, matmul }: Rates): string[] {
  const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const parts = [cpu, `${cores} cores`, `Node ${node}`, ...(torch ? [`PyTorch ${torch}`] : []), ...set]
  const share = Math.round((100 * matmul) / fma)
  return [
    parts.join(', '),
    `one thread: ${fma.toFixed(1)} GFLOP/s at most, matrix product ${matmul.toFixed(1)} (${share}%)`,
  ]
}

/** Measured in a process of its own. */
async function measuredRates(): Promise<Rates> {
  const process = startPeer('simd', tfjsPeer('simd', 1))
  try {
    return await process.ask('rates')
  } finally {
    await process.end()
  }
}
