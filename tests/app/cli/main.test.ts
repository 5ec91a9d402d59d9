import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../../app/cli/index.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { freshFolder, mixlab } from './recorder.ts'

describe('mixlab', () => {
  it('lists its commands', async () => {
    const { code, out } = await mixlab(['help'])
    expect(code).toBe(0)
    for (const { name, summary } of await Promise.all(Object.values(commands).map((load) => load())))
      expect(out.some((line) => line.includes(name) && line.includes(summary))).toBe(true)
  })
  it('shows the options of a command', async () => {
    const asked = await mixlab(['help', 'run'])
    expect(asked.out.join('\n')).toContain('--only V,...')
    expect((await mixlab(['run', '--help'])).out).toEqual(asked.out)
  })
  it.each(Object.keys(commands))('describes %s', async (name) => {
    const { code, out, err } = await mixlab([name, '--help'])
    expect([code, err, out[0]?.startsWith(`mixlab ${name}`)]).toEqual([0, [], true])
    expect(out.join(' ')).toMatch(/--workspace DIR.*--json/)
  })
  it('says its version', async () => {
    expect(await mixlab(['--version'])).toMatchObject({ code: 0, out: [`mixlab ${manifest.version}`] })
  })
  it.each([
    [['help', 'rnu'], "unknown command 'rnu' (did you mean 'run'?)"],
    [['rnu'], "unknown command 'rnu' (did you mean 'run'?)"],
    [['run', 'a.ts', '--qiuck'], "unknown option '--qiuck' (did you mean '--quick'?)"],
    [['run', 'a.ts', '--seeds'], "option '--seeds' needs a value, --seeds N"],
    [['run', 'a.ts', '--quick=yes'], "option '--quick' takes no value"],
    [['run'], "'run' needs <notebook>..."],
    [['convert', 'a.ts', 'b.ts'], "'b.ts' is one word too many"],
  ])('refuses %j and shows the usage', async (argv, message) => {
    const { code, err } = await mixlab(argv)
    expect(code).toBe(2)
    expect(err[0]).toBe(`mixlab: ${message}`)
    expect(err[1]).toMatch(/^usage: mixlab |^see 'mixlab help'$/)
  })

  it.each([
    [['run', ''], "'': expected the path of a notebook or a folder"],
    [['run', 'a.ipynb'], 'a.ipynb: convert it first: mixlab convert a.ipynb -o a.ts'],
    [['run', '/b.ts'], "/b.ts: cannot be read: no such file (did you mean 'a.ts'?)"],
    [['open', '/b.ts'], "/b.ts: cannot be read: no such file (did you mean 'a.ts'?)"],
    [['open', 'a.txt'], "a.txt: not a notebook name; allowed is a file name such as 'notes.ts', no folders"],
    [['convert', 'a.ts', '-o', '/no/a.html'], "--output: no folder '/no'"],
    [['export', '1', '-o', '/'], "--output: '' is a folder, expected a file"],
  ])('says what is wrong with a path: %j', async (words, message) => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'a.ts'), '')
    const argv = words.map((word) => (word.startsWith('/') ? join(folder, word) : word))
    const { code, out, err } = await mixlab([...argv, '--workspace', folder])
    expect([code, out, err.map((line) => line.replaceAll(folder, ''))]).toEqual([1, [], [`mixlab: ${message}`]])
  })
})

/** The files that a file of the project loads when it starts, with itself; and the packages. */
function loadedBy(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  const imports = /^(?:import|export) (?!type )(?:(?:\{(?! *type )|[\w*])[^'";]*? from )?'([^']+)'/gm
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    if (/^\..*\.ts$/.test(path)) loadedBy(resolve(file, '..', path), known)
    else known.add(path)
  }
  return known
}

it.each(['run', 'serve'])('mixlab %s starts without TensorFlow.js, which the process of its cells loads', (name) => {
  const loaded = [...loadedBy(resolve(import.meta.dirname, `../../../app/cli/${name}.ts`))]
  expect(loaded).toContain('better-sqlite3')
  expect(loaded.filter((path) => path.startsWith('@tensorflow/'))).toEqual([])
})
