import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../../../app/server/browser.ts'
import { freshFolder } from '../store/samples.ts'

const url = 'http://127.0.0.1:4000/?token=a'

describe.runIf(process.platform !== 'win32')('openBrowser', () => {
  it.each([
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
  ] as const)('hands the address to the opener of %s', async (platform, command) => {
    const folder = freshFolder()
    const seen = join(folder, 'seen')
    writeFileSync(join(folder, command), `#!/bin/sh\necho "$@" > ${seen}.part && /bin/mv ${seen}.part ${seen}\n`)
    chmodSync(join(folder, command), 0o755)
    vi.stubEnv('PATH', folder)
    openBrowser(url, platform)
    vi.unstubAllEnvs()
    await vi.waitUntil(() => existsSync(seen))
    expect(readFileSync(seen, 'utf8')).toBe(`${url}\n`)
  })

  it('does nothing where there is no opener', () => {
    vi.stubEnv('PATH', freshFolder())
    expect(() => openBrowser(url, 'linux')).not.toThrow()
    vi.unstubAllEnvs()
  })
})
