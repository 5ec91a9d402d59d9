import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as tf from '@tensorflow/tfjs'
import { expect, it, onTestFinished } from 'vitest'
import { useSimd } from '../engine/backends/simd/setup.ts'
import { CATALOGUE, exported, saying, trained } from '../engine/export/trained.ts'
import { LONG, sample } from '../long.ts'
import { launchBrowser } from '../served.ts'

/** TensorFlow.js as a page loads it, as it comes. */
const LIBRARY = readFileSync(createRequire(import.meta.url).resolve('@tensorflow/tfjs/dist/tf.min.js'), 'utf8')
const PAGE = 'http://models.test/'

it.runIf(LONG)(
  'a page with TensorFlow.js and nothing of Mixlab runs every graph model, from its files alone',
  async () => {
    await useSimd()
    const files = new Map<string, Uint8Array>()
    const said: Record<string, Record<string, number[]>> = {}
    for (const each of sample(await trained(CATALOGUE))) {
      const name = `${each.run.study}-${each.run.variant}`
      for (const [end, bytes] of Object.entries((await exported(each, 'tfjs')).files)) {
        files.set(`${PAGE}${name}/model${end}`, bytes)
      }
      said[name] = await saying(each)
    }

    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.route(`${PAGE}**`, (route) => {
      const body = files.get(route.request().url())
      return body ? route.fulfill({ body: Buffer.from(body) }) : route.fulfill({ body: '', contentType: 'text/html' })
    })
    await page.goto(PAGE)
    await page.addScriptTag({ content: LIBRARY })
    const differences = await page.evaluate(async (said) => {
      const library = (globalThis as unknown as { tf: typeof tf }).tf
      await library.setBackend('cpu')
      const found: Record<string, number> = {}
      for (const [name, values] of Object.entries(said)) {
        const model = await library.loadGraphModel(`${name}/model.json`)
        const inputs = model.inputs.map(({ name, shape = [], dtype }) => {
          const flat = library.tensor1d(values[name] as number[], dtype)
          return [name, flat.reshape([-1, ...shape.slice(1)])]
        })
        const logits = await (model.predict(Object.fromEntries(inputs)) as tf.Tensor).data()
        const expected = values.logits as number[]
        const off = expected.map((value, i) => Math.abs(value - (logits[i] as number)))
        found[name] = logits.length === expected.length ? Math.max(...off) : Number.POSITIVE_INFINITY
      }
      return found
    }, said)
    expect(Object.keys(differences)).toEqual(Object.keys(said))
    expect(Object.entries(differences).filter(([, difference]) => !(difference < 1e-5))).toEqual([])
  },
)
