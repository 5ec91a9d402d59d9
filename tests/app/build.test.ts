import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildStale, isStale, newest } from '../../app/build.ts'
import { freshFolder } from './store/samples.ts'

const config = (folder: string) => `export default {
  root: import.meta.dirname, publicDir: false,
  build: { outDir: '${folder}', emptyOutDir: true, lib: { entry: 'main.js', formats: ['es'], fileName: 'main' } },
}`

const print = vi.fn<(line: string) => void>()
let root: string
beforeEach(() => {
  print.mockClear()
  root = freshFolder()
  mkdirSync(join(root, 'node_modules')) // where Vite puts what it makes of a configuration, or else beside that
  put('package.json', 1000, '{ "type": "module" }')
  put('engine/nn/layers/dense.ts', 1000, '')
  put('renderer/main.js', 2000, 'export const page = 1')
  put('renderer/vite.config.ts', 1000, config('../dist/page'))
  put('renderer/demo/main.js', 1000, 'export const demo = 1')
  put('renderer/demo/vite.config.ts', 1000, config('../../dist/demo'))
  put('app/electron/main.js', 1000, 'export const desktop = 1')
  put('app/electron/vite.config.ts', 1000, config('../../dist/electron'))
  put('app/cells/main.js', 1000, 'export const cells = 1')
  put('app/cells/vite.config.ts', 1000, config('../../dist/cells'))
})

/** Writes a file with its time of modification, in seconds; that of its folder is old. */
function put(name: string, seconds: number, text: string): void {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, seconds, seconds)
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) utimesSync(folder, 100, 100)
}

const built = (part: string) => readFileSync(join(root, 'dist', part, 'main.js'), 'utf8')
const build = (signal?: AbortSignal) => buildStale(print, root, signal)

describe('newest', () => {
  it('is the latest of all files in all folders', () => {
    expect(newest([join(root, 'engine'), join(root, 'renderer')])).toBe(2_000_000)
    expect(newest([join(root, 'engine')])).toBe(1_000_000)
  })

  it('notices a deleted file', () => {
    rmSync(join(root, 'engine/nn/layers/dense.ts'))
    expect(newest([join(root, 'engine')])).toBeGreaterThan(2_000_000)
  })

  it('is 0 for nothing', () => {
    expect(newest([])).toBe(0)
    expect(newest([join(root, 'none')])).toBe(0)
  })
})

describe('buildStale', () => {
  it('builds page, script of demos, desktop app and command line once, and says what it does', async () => {
    await build()
    const parts = ['the page', 'the script of demos', 'the desktop app', 'the command line']
    expect(print.mock.calls.flat()).toEqual(expect.arrayContaining(parts.map((part) => `building ${part}...`)))
    expect(built('cells')).toContain('cells')
    expect(built('page')).toContain('page')
    expect(built('electron')).toContain('desktop')
    print.mockClear()
    await build()
    expect(print).not.toHaveBeenCalled()
  })

  it('builds again after an edit', async () => {
    await build()
    put('renderer/main.js', Date.now() / 1000 + 60, 'export const page = 2')
    expect(isStale(root)).toBe(true)
    await build()
    expect(built('page')).toContain('2')
  })

  it('says in one sentence why it fails, with the log, and builds once that is mended', async () => {
    put('renderer/main.js', 2000, 'import "./none.js"')
    const log = join(root, 'dist/build.log')
    await expect(build()).rejects.toMatchObject({ path: 'the page', message: expect.stringContaining(log) })
    await expect(build()).rejects.toThrow(/^the page: cannot be built: [^\n]+none\.js[^\n]+$/)
    expect(readFileSync(log, 'utf8')).toContain('./none.js')
    put('renderer/main.js', 2000, 'export const page = 3')
    await build()
    expect(built('page')).toContain('3')
  })

  it('is done by one of several starts at once, for which the others wait', async () => {
    await Promise.all([build(), build(), build()])
    const said = print.mock.calls.flat()
    expect(said.filter((line) => line.startsWith('another start builds the page'))).toHaveLength(2)
    expect(said.filter((line) => line === 'building the page...')).toHaveLength(1)
    expect(built('electron')).toContain('desktop')
  })

  it('ends with its start, and leaves nothing that hinders the next', async () => {
    put('renderer/vite.config.ts', 1000, 'await new Promise((resolve) => setTimeout(resolve, 1e9))')
    const controller = new AbortController()
    const first = build(controller.signal)
    await expect.poll(() => print.mock.lastCall?.[0]).toBe('building the page...')
    const second = build(controller.signal)
    await expect.poll(() => print.mock.lastCall?.[0]).toMatch(/^another start builds the page/)
    controller.abort()
    for (const { reason } of (await Promise.allSettled([first, second])) as PromiseRejectedResult[])
      expect(reason).toMatchObject({ message: 'the build: was interrupted' })
    expect(existsSync(join(root, 'dist/built'))).toBe(false)
    put('renderer/vite.config.ts', 1000, config('../dist/page'))
    await build()
    expect(built('page')).toContain('page')
  })
})
