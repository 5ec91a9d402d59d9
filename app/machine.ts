import { existsSync, globSync, readFileSync } from 'node:fs'
import { arch, availableParallelism, platform, release } from 'node:os'
import { join } from 'node:path'
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

/** PCI vendors of graphics cards that compute; those of virtual machines are others. */
const VENDORS = { '0x10de': 'NVIDIA', '0x1002': 'AMD', '0x8086': 'Intel' }

/**
 * Whether a Linux machine has a graphics card with its driver loaded, and not one that a virtual machine makes up: asked
 * before Chromium starts, which could only be told by its switches.
 */
export function hasCard(root = '/'): boolean {
  if (existsSync(join(root, 'dev/nvidia0'))) return true // without mode setting NVIDIA's driver is in none of these folders
  const vendors = globSync('sys/class/drm/renderD*/device/vendor', { cwd: root })
  return vendors.some((file) => readFileSync(join(root, file), 'utf8').trim() in VENDORS)
}
