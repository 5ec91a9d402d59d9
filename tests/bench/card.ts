import { parseArgs } from 'node:util'
import type { CardRow, Style } from '../../engine/bench/card.ts'
import { configurations } from '../../engine/bench/configurations.ts'
import { bundled } from '../bundled.ts'
import { launchBrowser } from '../served.ts'

// Training steps on the graphics card in Chromium: as programs, and with the kernels of tfjs on WebGPU and WebGL.
//   npm run bench:card -- [CONFIGURATION ...] [--rounds 10] [--style 'stock webgl'] [--batch N] [--software] [--json]
// With --software, on the adapters that Chromium emulates: there the script time alone means something, and takes a
// small --batch, on which it does not depend.

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    batch: { type: 'string' },
    style: { type: 'string' },
    software: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : configurations.map(({ name }) => name)

const STYLES: Style[] = ['program', 'stock webgpu', 'stock webgl']
const styles = STYLES.filter((style) => values.style === undefined || style === values.style)

const WEBGPU = ['--enable-unsafe-webgpu', '--enable-features=Vulkan']
const EMULATED = ['--use-webgpu-adapter=swiftshader', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

const open = await bundled(`${import.meta.dirname}/cardPage.ts`, 'measure')

const HEAD = 'configuration    style          step, ms    least  script, ms   least  dispatches  submits  buffers'
if (!values.json) console.log(HEAD)

/** Shows a row once it is there: the next may take long. */
function show(row: CardRow): void {
  if (values.json) {
    console.log(JSON.stringify(row))
    return
  }
  const { configuration, style, step, script, asked } = row
  const times = [...step.map((ms) => ms.toFixed(1).padStart(10)), ...script.map((ms) => ms.toFixed(2).padStart(9))]
  const counts = [asked?.dispatches, asked?.submits, asked?.buffers].map((count) => String(count ?? '-').padStart(9))
  console.log(configuration.padEnd(16), style.padEnd(13), times.join(''), counts.join(''))
}

const browser = await launchBrowser([...WEBGPU, ...(values.software ? EMULATED : [])])
try {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error.message))
  for (const name of names) {
    for (const style of styles) {
      await open(page) // each on a card of its own
      const asked = [name, style, Number(values.rounds), values.batch ? Number(values.batch) : null]
      show(await page.evaluate(`measure(...${JSON.stringify(asked)})`))
    }
  }
} finally {
  await browser.close()
}
