import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { trainsOn, undisturbed, weights } from './training.ts'
import { cell, kill, openNotebook, run, serve, status } from './workbench.ts'

const TRAIN = 'checkpointEvery: { seconds: 0.2 }, evalEvery: 100, batch: 16'

/** A study of each sort, and all that cells define of runs. */
const NOTEBOOKS: Record<string, string> = {
  segmentation: `// %% data
import { adamw, compare, crossEntropy, dataset, mixer, mul, optimizer, schedule, segment, sub, task } from 'mixlab'
export const boxes = dataset('boxes', {
  train: 64,
  test: 16,
  classes: ['ground', 'box'],
  shape: { image: [16, 16, 1], target: [16, 16] },
  make: (random) => {
    const [left, top] = [random.integer('left', 10), random.integer('top', 10)]
    const inside = (i: number) => Math.abs((i % 16) - left) < 4 && Math.abs(Math.floor(i / 16) - top) < 4
    const image = Float32Array.from({ length: 256 }, (_, i) => (inside(i) ? 0.7 : 0.3) + random.uniform('noise', -0.3, 0.3))
    return { image, target: Int32Array.from(image, (_, i) => Number(inside(i))) }
  },
})

// %% own
export const twice = task('twice', { base: segment({ data: boxes }), loss: (logits, y) => mul(2, crossEntropy(logits, y)) })
export const falling = schedule('falling', (step, steps) => 1 - step / steps)
export const descent = optimizer('descent', { learningRate: 0.05 }, {
  state: ['velocity'],
  update: ({ weight, gradient, velocity, learningRate }) => {
    const next = sub(mul(velocity, 0.9), gradient)
    return { weight: sub(weight, mul(next, mul(learningRate, -1))), velocity: next }
  },
})

// %% study
export const masks = compare('masks', {
  task: segment({ data: boxes }),
  block: mixer,
  model: { patch: 4, dim: 16, depth: 1 },
  variants: { plain: {}, twice: { task: twice }, descent: { train: { optimizer: descent(), schedule: falling } } },
  train: { steps: 400, ${TRAIN}, optimizer: adamw({ learningRate: 3e-3 }) },
  seeds: 1,
})
`,
  'causal text': `// %% study
import { clm, compare, gmlp, world } from 'mixlab'
export const talk = compare('talk', {
  task: clm({ data: world({ train: 200 }), tokens: 16, tokenizer: { vocabulary: 200 } }),
  model: { dim: 16, depth: 1 },
  variants: { gmlp: gmlp({ causal: true }), attention: gmlp({ causal: true, attention: 8 }) },
  train: { steps: 400, ${TRAIN}, evalExamples: 64, testExamples: 64 },
  seeds: 1,
})
`,
  forecasting: `// %% study
import { compare, forecast, gmlp, mixer, seasons } from 'mixlab'
export const ahead = compare('ahead', {
  task: forecast({ data: seasons({ channels: 3, steps: 60 }), window: 24, horizon: 6 }),
  model: { dim: 16, depth: 1 },
  variants: { gmlp, mixer },
  train: { steps: 600, ${TRAIN}, evalExamples: 64, testExamples: 64 },
  seeds: 1,
})
`,
}

it.runIf(LONG).each(Object.entries(NOTEBOOKS))(
  'a study of %s goes on in the page after its server was killed, to the bits of the command line',
  async (_, text) => {
    const { workspace, server, page } = await openNotebook(text)
    await page.setViewportSize({ width: 1000, height: 700 })
    await run(page, 'study')
    await trainsOn(workspace)
    await kill(server)
    await serve(workspace)
    await expect.poll(() => status(page, 'study')).toBe('done')
    expect(await cell(page, 'study').getByTestId('output').textContent()).toContain('test/')
    expect(weights(workspace)).toEqual(undisturbed(text))
  },
)
