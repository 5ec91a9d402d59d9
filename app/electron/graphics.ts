import type { App } from 'electron'
import { hasCard } from '../machine.ts'

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
