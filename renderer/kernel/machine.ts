import type { Machine } from '../../engine/records/environment.ts'
import { version as mixlab } from '../../package.json'
import type { BackendReport } from '../protocol/kernel.ts'

interface Hints {
  architecture?: string
  bitness?: string
  platformVersion?: string
  fullVersionList?: { brand: string; version: string }[]
}

/** What browsers say of themselves besides `userAgent`; not all have it. */
interface UserAgentData {
  platform?: string
  getHighEntropyValues?(names: (keyof Hints)[]): Promise<Hints>
}

export type Browser = Pick<Navigator, 'userAgent' | 'hardwareConcurrency'> & { userAgentData?: UserAgentData }

/** The machine as its browser describes it, with a backend started. */
export async function machineOf(browser: Browser, { chosen, options }: BackendReport): Promise<Machine> {
  const { userAgent, userAgentData, hardwareConcurrency: cores } = browser
  const asked = userAgentData?.getHighEntropyValues?.(['architecture', 'bitness', 'platformVersion', 'fullVersionList'])
  const hints: Hints = (await asked?.catch(() => ({}))) ?? {}
  const { architecture = '', bitness = '', platformVersion = '', fullVersionList = [] } = hints
  const full = fullVersionList.find(({ brand }) => brand === 'Chromium')
  const adapter = options.find(({ name }) => name === 'webgpu' || name === 'webgl')?.device
  return {
    mixlab,
    runtime: full ? `Chromium ${full.version}` : runtimeIn(userAgent),
    platform: [userAgentData?.platform || /\(([^;)]+)/.exec(userAgent)?.[1], platformVersion].filter(Boolean).join(' '),
    architecture: [architecture, bitness].filter(Boolean).join(' '),
    cores,
    threads: chosen.name === 'simd' ? cores : 1,
    ...(adapter ? { adapter } : {}),
  }
}

/** `Chrome 141.0.0.0`: the most telling of the products in a user agent. */
function runtimeIn(userAgent: string): string {
  const found = /\b(Firefox|Chrome)\/([\d.]+)/.exec(userAgent) ?? /\bVersion\/([\d.]+).*\b(Safari)\b/.exec(userAgent)
  if (!found) return userAgent
  return found[2] === 'Safari' ? `Safari ${found[1]}` : `${found[1]} ${found[2]}`
}
