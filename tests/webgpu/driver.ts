import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where browsers keep SwiftShader, a Vulkan driver that computes on the processor. */
const FOLDERS = ['/usr/lib/chromium', '/opt/google/chrome', '/usr/lib64/chromium-browser']

/** What makes Dawn find the driver of a browser on Linux; null where there is none. */
export function softwareDriver(): Record<string, string> | null {
  const folder = FOLDERS.find((each) => existsSync(join(each, 'vk_swiftshader_icd.json')))
  if (!folder) return null
  return {
    VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json'),
    LD_LIBRARY_PATH: folder,
    XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? '/tmp',
  }
}
