import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron } from 'playwright-core'
import { expect, it } from 'vitest'
import { type DesktopMachine, desktopObstacle, electronBinary } from '../../../app/electron/binary.ts'
import { buildStale } from '../../../app/start.ts'
import { PATIENCE } from '../../patience.ts'

/** The real thing, where it can run. */

const root = resolve(import.meta.dirname, '../../..')
const machine: DesktopMachine = {
  platform: process.platform,
  env: process.env,
  user: process.getuid?.(),
  interactive: false,
}
const binary = electronBinary(machine)
const obstacle = binary ? desktopObstacle(machine) : 'no electron binary'
if (obstacle) console.info(`skipped: ${obstacle}`)

it.runIf(obstacle === null)('opens the window on the ready notebook, isolated and without Node', async () => {
  await buildStale(() => {})
  const place = mkdtempSync(join(tmpdir(), 'mixlab-electron-'))
  const app = await _electron.launch({
    executablePath: binary ?? '',
    timeout: PATIENCE,
    args: [root, `--workspace=${join(place, 'workspace')}`, `--user-data-dir=${join(place, 'user')}`],
  })
  try {
    const page = await app.firstWindow({ timeout: PATIENCE })
    page.setDefaultTimeout(PATIENCE)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.waitForFunction(() => document.body.textContent.includes('first-comparison'))
    expect(await page.evaluate(() => location.href)).toMatch(/^mixlab:\/\/workbench\//)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
    expect(await page.evaluate(() => ['require', 'process'].filter((name) => name in globalThis))).toEqual([])
    expect(await page.evaluate(() => Object.keys(Reflect.get(globalThis, 'mixlabDesktop')))).toEqual([
      'saveFile',
      'chooseFolder',
      'showTraining',
      'trainingEnded',
    ])
    expect(errors).toEqual([])
  } finally {
    await app.close()
  }
})
