import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Shows `url` in the system's browser; where there is none, nothing happens. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [command = 'xdg-open', ...options] = openers[platform] ?? []
  const child = spawn(command, [...options, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
