import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findBrowser } from '../browser.ts'
import { startServer } from '../served.ts'
import { type BarePage, openBare } from './bareBrowser.ts'
import { when } from './firstPage.ts'
import { NotMeasured, type PaceRow } from './pace-row.ts'

// Times how long a key press in a cell takes until it is painted, in Chromium through `mixlab serve`: while nothing runs,
// and while another cell trains models so small that their steps come by the thousand a second. Says, too, for how much
// of that time the thread of the page was busy.
//   node tests/bench/pace-typing.ts [--rounds 1] [--keys 200] [--profile FILE]

const NOTEBOOK = `// %% study
import { compare, image, mixer, gmlp, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 16 }) }),
  model: { patch: 16, dim: 4, ffn: 4, depth: 1 },
  variants: { mixer: mixer(), gmlp: gmlp() },
  train: { steps: 1_000_000, batch: 1, evalEvery: 1000 },
  seeds: 6,
})

// %% notes
const first = 1
`

const LINE = 'const next = first + 12 * (3 - first)\n'

/** Notes in the page when each key press came, and when the frame after it was painted. */
const WATCH = `
  window.painted = []
  const channel = new MessageChannel()
  const waiting = []
  channel.port1.onmessage = () => painted.push(performance.now() - waiting.shift())
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
    waiting.push(timeStamp)
    channel.port2.postMessage(null)
  }), true)
`

/** Types at the speed of somebody who writes fast, 5 to 16 keys a second; ms of each key press until it was painted. */
async function type(page: BarePage, keys: number): Promise<number[]> {
  await page.evaluate('painted.length = 0')
  let draw = 1
  for (let i = 0; i < keys; i++) {
    const text = LINE[i % LINE.length] ?? ' '
    const key =
      text === '\n' ? { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 } : { key: text, text }
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
    await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key: key.key })
    draw = (draw * 16807) % 2147483647
    await pause(60 + (draw % 140))
  }
  await pause(300)
  return page.evaluate<number[]>('painted')
}

interface Typed {
  /** ms of each key press until it was painted. */
  idle: number[]
  training: number[]
  /** Of the time in which was typed, the share in which the thread of the page was busy. */
  busy: { idle: number; training: number }
  /** Steps a second while it was typed. */
  steps: number
}

const STEP = `Number(document.querySelector('[data-testid=training]')?.textContent.match(/step ([\\d,]+)/)?.[1].replaceAll(',', '') ?? 0)`

/** One round, in a workspace, a server and a browser of its own. \`profiled\` gets what the thread of the page did while training. */
async function typeBeside(keys: number, profiled?: (profile: object) => void): Promise<Typed> {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-typing-'))
  writeFileSync(join(folder, 'typing.ts'), NOTEBOOK)
  const server = startServer(folder)
  let page: BarePage | null = null
  try {
    page = await openBare(await server.url, { width: 1000, height: 900 })
    const { evaluate, send } = page
    await when(
      page,
      `document.querySelector('[data-cell=notes] .view-lines') && document.querySelector('[data-testid=device]')?.textContent`,
    )
    await evaluate(WATCH)
    await send('Performance.enable')
    const taken = async () => {
      const { metrics } = await send<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics')
      const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
      return { busy: of('TaskDuration'), at: of('Timestamp'), step: await evaluate<number>(STEP) }
    }
    const typed = async () => {
      const before = await taken()
      const ms = await type(page as BarePage, keys)
      const after = await taken()
      const seconds = after.at - before.at
      return { ms, busy: (after.busy - before.busy) / seconds, steps: (after.step - before.step) / seconds }
    }
    await evaluate(
      `document.querySelector('[data-cell=notes] textarea, [data-cell=notes] .native-edit-context').focus()`,
    )
    await pause(3000) // TypeScript has read the cells
    await type(page, 20)
    const idle = await typed()
    await evaluate(`document.querySelector('[data-cell=study] [data-testid=run]').click()`)
    await when(page, `${STEP} > 0`)
    await evaluate(
      `document.querySelector('[data-cell=notes] textarea, [data-cell=notes] .native-edit-context').focus()`,
    )
    await pause(3000)
    if (profiled) {
      await send('Profiler.enable')
      await send('Profiler.setSamplingInterval', { interval: 500 })
      await send('Profiler.start')
    }
    const training = await typed()
    if (profiled) profiled((await send<{ profile: object }>('Profiler.stop')).profile)
    return {
      idle: idle.ms,
      training: training.ms,
      busy: { idle: idle.busy, training: training.busy },
      steps: training.steps,
    }
  } finally {
    await page?.close()
    server.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

const quantile = (ms: number[], part: number) =>
  ms.toSorted((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * part))] ?? Number.NaN

/** What 95% of key presses take at most until they are painted, while small models train. */
export const keyPresses: PaceRow = {
  ...{ name: 'typing', unit: 'ms', goal: 30 },
  title: 'a key press while a cell trains, painted, 95% of them',
  ours: async () => {
    if (!findBrowser()) throw new NotMeasured('no Chromium')
    return quantile((await typeBeside(200)).training, 0.95)
  },
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '1' },
      keys: { type: 'string', default: '200' },
      profile: { type: 'string' },
    },
  })
  for (let round = 0; round < Number(values.rounds); round++) {
    const load = loadavg()[0]?.toFixed(1)
    const keep = values.profile
    const { busy, steps, ...ms } = await typeBeside(
      Number(values.keys),
      keep ? (profile) => writeFileSync(keep, JSON.stringify(profile)) : undefined,
    )
    for (const when of ['idle', 'training'] as const) {
      const parts = [0.5, 0.95, 1].map((part) => `${part * 100}% within ${quantile(ms[when], part).toFixed(1)} ms`)
      console.log(
        `load ${load}, ${when}: ${ms[when].length} keys, ${parts.join(', ')}; the page is busy for ${(busy[when] * 100).toFixed(1)}%`,
      )
    }
    console.log(`${steps.toFixed(0)} steps/s`)
  }
}
