import { globSync, readFileSync } from 'node:fs'
import { arch, availableParallelism, platform, release } from 'node:os'
import { basename, join } from 'node:path'
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

/** PCI vendors of graphics cards that a virtual machine makes up, or that only show the console of a server. */
const IMAGINARY = ['0x1234', '0x1af4', '0x15ad', '0x1b36', '0x80ee', '0x1414', '0x1013', '0x1a03', '0x102b']

/** What stands for a card where it has no folder in /sys: NVIDIA's driver, which a container may have one of, and WSL2. */
const DEVICES = ['dev/nvidia[0-9]*', 'dev/dxg']

/**
 * Whether this machine may have a graphics card, and not one that a virtual machine makes up: asked before Chromium starts,
 * since its switches can only be set then. On Linux by what drivers leave in its folders; elsewhere there is one.
 */
export function hasCard(root = '/', system: NodeJS.Platform = platform()): boolean {
  if (system !== 'linux' || globSync(DEVICES, { cwd: root }).length > 0) return true
  const files = globSync('sys/class/drm/renderD*/device/vendor', { cwd: root })
  const imaginary = files.filter((file) => IMAGINARY.includes(readFileSync(join(root, file), 'utf8').trim()))
  const nodes = globSync(['dev/dri/renderD*', 'sys/class/drm/renderD*'], { cwd: root }).map((path) => basename(path))
  return nodes.some((node) => !imaginary.some((file) => file.includes(`/${node}/`)))
}
