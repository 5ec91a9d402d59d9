import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'

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

/**
 * The switches by which Chromium computes on the graphics card: on Linux it gives no WebGPU without two of them, which
 * change nothing for the better where there is no card; a machine with two cards takes the faster one.
 */
export function graphicsSwitches(platform: NodeJS.Platform, card: boolean): Record<string, string> {
  return {
    'disable-gpu-process-crash-limit': '', // a run goes on after a crash; else the third one ends WebGPU until a restart
    ...(platform === 'linux' ? {} : { force_high_performance_gpu: '' }),
    ...(platform === 'linux' && card
      ? { 'enable-unsafe-webgpu': '', 'enable-features': 'Vulkan,VulkanFromANGLE,DefaultANGLEVulkan' }
      : {}),
  }
}

/** To be called before the app is ready. What the user gives on the command line stays as it is. */
export function prepareGraphics(
  app: Pick<App, 'commandLine' | 'disableDomainBlockingFor3DAPIs'>,
  platform = process.platform,
  card = hasCard(),
): void {
  app.disableDomainBlockingFor3DAPIs() // else the page gets no WebGL after a few crashes
  for (const [name, value] of Object.entries(graphicsSwitches(platform, card))) {
    if (!app.commandLine.hasSwitch(name)) app.commandLine.appendSwitch(name, value)
  }
}
