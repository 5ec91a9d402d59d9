import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { alone } from '../../../app/alone.ts'
import { currentBundle, folderOf, recordInputs } from '../../../app/cells/bundle.ts'
import { freshFolder, mixlab, writeNotebook } from '../cli/recorder.ts'
import { resultsIn } from '../store/results.ts'

const project = resolve(import.meta.dirname, '../../..')

const started = vi.hoisted(() => ({ scripts: [] as string[], fromSources: false }))
vi.mock('../../../app/cells/bundle.ts', async (original) => {
  const real = await original<typeof import('../../../app/cells/bundle.ts')>()
  const currentBundle: typeof real.currentBundle = (...of) => (started.fromSources ? null : real.currentBundle(...of))
  return { ...real, currentBundle }
})
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof import('node:child_process')>()
  const spawn = (program: string, words: string[], how: object) => {
    if (program === process.execPath) started.scripts.push(words.at(-1) ?? '')
    return real.spawn(program, words, how)
  }
  return { ...real, spawn }
})
afterEach(() => {
  started.fromSources = false
})

describe('a bundle', () => {
  const INSTALLED = 'node_modules/.package-lock.json'
  const FILES = ['app/cells/process.ts', 'engine/nn/dense.ts', 'app/cells/vite.config.ts', INSTALLED]
  let root: string
  beforeEach(() => {
    root = freshFolder()
    for (const path of FILES) put(path, 'first', 2000)
    record()
  })

  /** Writes a file with its time of modification, in seconds. */
  function put(path: string, text: string, seconds: number): void {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    utimesSync(join(root, path), seconds, seconds)
  }

  /** Does what the bundler does with the plugin. */
  function record(edited: () => void = () => {}): void {
    const { buildStart, load, writeBundle } = recordInputs(root, 'cells', [
      'app/cells/vite.config.ts',
    ]) as unknown as Hooks
    buildStart()
    for (const id of [...FILES.slice(0, 2), 'node_modules/a/a.js']) load(join(root, id))
    load('\0virtual')
    edited()
    mkdirSync(join(root, folderOf('cells')), { recursive: true })
    writeBundle()
  }

  it('is current while its sources are as they were', () => {
    expect(currentBundle(root, 'cells')).toBe(join(root, folderOf('cells'), 'process.js'))
    const recorded = JSON.parse(readFileSync(join(root, folderOf('cells'), 'inputs.json'), 'utf8'))
    expect(Object.keys(recorded).sort()).toEqual([...FILES].sort())
  })

  it.each([
    ['a newer time', 'first', 3000],
    ['an older time', 'first', 1000],
    ['an older time and another size', 'second', 1000],
    ['another size', 'second', 2000],
  ])('is not where a source has %s', (_, text, seconds) => {
    for (const path of FILES) {
      put(path, text, seconds)
      expect(currentBundle(root, 'cells'), path).toBeNull()
      put(path, 'first', 2000)
      expect(currentBundle(root, 'cells'), path).not.toBeNull()
    }
  })

  it('is not where a source is gone, what is installed is unknown, or it is not there itself', () => {
    rmSync(join(root, 'engine/nn/dense.ts'))
    expect(currentBundle(root, 'cells')).toBeNull()
    put('engine/nn/dense.ts', 'first', 2000)
    rmSync(join(root, INSTALLED))
    record()
    expect(currentBundle(root, 'cells')).toBeNull()
    rmSync(join(root, folderOf('cells')), { recursive: true })
    expect(currentBundle(root, 'cells')).toBeNull()
  })

  it('is not where a source was edited while it was built, nor where the record of it is damaged', () => {
    record(() => put('engine/nn/dense.ts', 'edited', 2500))
    expect(currentBundle(root, 'cells')).toBeNull()
    record()
    expect(currentBundle(root, 'cells')).not.toBeNull()
    writeFileSync(join(root, folderOf('cells'), 'inputs.json'), '{"app')
    expect(currentBundle(root, 'cells')).toBeNull()
  })
})

interface Hooks {
  buildStart(): void
  load(id: string): null
  writeBundle(): void
}

beforeAll(async () => {
  if (currentBundle(project, 'cli') && currentBundle(project, 'cells')) return // as in `npm test`
  mkdirSync(join(project, 'dist'), { recursive: true })
  await alone(join(project, 'dist/lock'), async () => {
    const { createBuilder } = await import('vite')
    const configFile = join(project, 'app/cells/vite.config.ts')
    await (await createBuilder({ configFile, logLevel: 'silent' })).buildApp()
  })
})

it('commands from their bundle find the processes of cells, and the store', () => {
  const folder = freshFolder()
  const words = ['run', writeNotebook(folder, "// %% a\nconsole.log('seen')\n"), '--workspace', folder]
  const main = pathToFileURL(currentBundle(project, 'cli') ?? '').href
  const script = `import('${main}').then(({ main }) => main(${JSON.stringify(words)}))`
  const { stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  expect(stderr).toMatch(/^seen\nmixlab: .*: defines no study/)
  expect(existsSync(join(folder, '.mixlab/mixlab.db'))).toBe(true)
})

describe('a process of cells from the bundle', () => {
  /** Cells that say what they see of the modules, capture some of it, and fail inside of tfjs and of the engine. */
  const CELLS = `// %% sees
import * as tf from '@tensorflow/tfjs'
import * as mixlab from 'mixlab'
const names = (module) => [Object.getPrototypeOf(module), ...Object.getOwnPropertyNames(module)].join()
console.log(tf.getBackend(), tf.memory().numTensors, tf.relu.name, tf.Tensor.name)
console.log(names(tf), names(mixlab), names(mixlab.recipes))

// %% block
import { add, block, dense, recipes } from 'mixlab'
const { relu } = tf
const { gmlp } = recipes
export const captures = block('captures', (x, { dim }) => add(x, dense(gmlp ? relu(x) : x, dim)))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { captures, mixer: mixer() },
  train: { steps: 3, batch: 8, mixup: 0.8 },
  seeds: 1,
})

// %% fails
tf.add(tf.ones([2, 3]), tf.ones([4, 5]))

// %% refused
mixlab.dense(3, 4)
`

  async function run(fromSources: boolean) {
    started.fromSources = fromSources
    const folder = freshFolder()
    const result = await mixlab(['run', writeNotebook(folder, CELLS), '--backend', 'simd', '--workspace', folder])
    const err = result.err.filter((line) => !isSize(line))
    return { ...result, err, sizes: result.err.filter(isSize), runs: resultsIn(folder), script: started.scripts.at(-1) }
  }

  /** What is said of a variant before it is trained. On a busy machine there is time for the first one alone. */
  const isSize = (line: string) => /^(captures|mixer): [\d,]+ parameters/.test(line)

  it('sees, says and trains what one from the sources does, to the bit', async () => {
    const { script, sizes, ...own } = await run(false)
    const { script: sources, sizes: expectedSizes, ...expected } = await run(true)
    expect([script, sources]).toEqual([
      join(project, folderOf('cells'), 'process.js'),
      join(project, 'app/cells/process.ts'),
    ])
    expect(own).toEqual(expected)
    expect(sizes.length).toBeGreaterThan(0)
    const both = Math.min(sizes.length, expectedSizes.length)
    expect(sizes.slice(0, both)).toEqual(expectedSizes.slice(0, both))
    expect(own.runs).toMatchObject(
      Array(2).fill({ status: 'done', weights: expect.arrayContaining([expect.anything()]) }),
    )
    expect(own.err).toEqual(expect.arrayContaining([expect.stringMatching(/^simd 0 /)]))
    expect(own.err).toContain('mixlab: fails:1: add: shapes [2,3] and [4,5] do not fit')
  })
})
