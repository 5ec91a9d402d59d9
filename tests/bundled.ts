import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'

/** A page of this machine, as WebGPU asks for; nobody serves there. */
const ORIGIN = 'http://localhost:1'

/** Bundles a script of a test; the function opens a page with nothing but that, until it has set the global `ready`. */
export async function bundled(script: string, ready: string): Promise<(page: Page) => Promise<void>> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2022', rolldownOptions: { input: script } },
  })) as Rolldown.RolldownOutput
  const files = new Map(output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]))
  const html = `<script type="module" src="/${output[0].fileName}"></script>`

  return async (page) => {
    await page.route(`${ORIGIN}/**`, (route) => {
      const file = files.get(new URL(route.request().url()).pathname)
      if (file !== undefined) return route.fulfill({ body: Buffer.from(file), contentType: 'text/javascript' })
      return route.fulfill({ body: html, contentType: 'text/html' })
    })
    await page.goto(ORIGIN)
    await page.waitForFunction(`globalThis.${ready}`)
  }
}
