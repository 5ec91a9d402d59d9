import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { _electron, type Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildStale } from '../../../app/build.ts'
import { type DesktopMachine, desktopObstacle, electronBinary } from '../../../app/electron/binary.ts'
import { NOTEBOOK, takeovers, trainsOn, undisturbed, weights } from '../../e2e/training.ts'
import { run } from '../../e2e/workbench.ts'
import { PATIENCE } from '../../patience.ts'
import { freshFolder } from '../store/samples.ts'

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

/** The desktop application on a new workspace, in which `prepare` puts notebooks. */
async function launch(prepare: (workspace: string) => void = () => {}) {
  await buildStale(() => {})
  const place = freshFolder()
  const workspace = join(place, 'workspace')
  mkdirSync(workspace)
  prepare(workspace)
  const app = await _electron.launch({
    executablePath: binary ?? '',
    timeout: PATIENCE,
    args: [root, `--workspace=${workspace}`, `--user-data-dir=${join(place, 'user')}`],
  })
  await app.firstWindow({ timeout: PATIENCE })
  const windowAt = async (address: RegExp): Promise<Page> => {
    await expect.poll(() => app.windows().some((window) => address.test(window.url()))).toBe(true)
    return app.windows().find((window) => address.test(window.url())) as Page
  }
  const page = await windowAt(/workbench\/(#.*)?$/)
  page.setDefaultTimeout(PATIENCE)
  return { app, page, workspace, hidden: await windowAt(/kernels\.html$/) }
}

it.runIf(obstacle === null)('opens the window on the ready notebook, isolated and without Node', async () => {
  const { app, page, hidden } = await launch()
  try {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.waitForFunction(() => document.body.textContent.includes('first-comparison'))
    expect(await page.evaluate(() => location.href)).toMatch(/^mixlab:\/\/workbench\//)
    for (const window of [page, hidden]) {
      expect(await window.evaluate(() => crossOriginIsolated)).toBe(true)
      expect(await window.evaluate(() => ['require', 'process'].filter((name) => name in globalThis))).toEqual([])
    }
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

it.runIf(obstacle === null)('trains on through a reload and a crash of the page, to the same bits', async () => {
  const text = NOTEBOOK(600)
  const { app, page, workspace } = await launch((folder) => writeFileSync(join(folder, 'test.ts'), text))
  try {
    await page.evaluate(() => {
      location.hash = '#/notebook/test.ts'
    })
    await page.getByTestId('backend').selectOption('simd')
    await run(page, 'study')
    await trainsOn(workspace)
    await page.reload()
    await trainsOn(workspace)
    await app.evaluate(({ BrowserWindow }) => {
      const shown = BrowserWindow.getAllWindows().find((window) => window.isVisible())
      shown?.webContents.forcefullyCrashRenderer()
    })
    await trainsOn(workspace)
    await expect
      .poll(() => weights(workspace).map((row) => (row as { status: string }).status))
      .toEqual(Array.from({ length: 4 }, () => 'done'))
    expect(takeovers(workspace)).toEqual([1, 1, 1, 1])
    expect(weights(workspace)).toEqual(undisturbed(text))
  } finally {
    await app.close()
  }
})
