import { arch, availableParallelism, platform, release } from 'node:os'
import type { Machine } from '../engine/records/environment.ts'
import manifest from '../package.json' with { type: 'json' }

/** This machine, training with so many threads. */
export function machineWith(threads: number): Machine {
  return {
    mixlab: manifest.version,
    runtime: `node ${process.versions.node}`,
    platform: `${platform()} ${release()}`,
    architecture: arch(),
    cores: availableParallelism(),
    threads,
  }
}
