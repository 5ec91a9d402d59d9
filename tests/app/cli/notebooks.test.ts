import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notebooksAt } from '../../../app/cli/training/notebooks.ts'
import { createOutcome } from '../../../app/cli/training/outcome.ts'
import { LONG } from '../../long.ts'
import { freshFolder, mixlab, NOTEBOOK } from './recorder.ts'

/** A fresh folder with such files. */
function folderOf(files: Record<string, string>): string {
  const folder = freshFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Of which studies some are wrong, each in its own way, and the others not. */
const MIXED = `${NOTEBOOK.replace('seeds: 2', 'seeds: 1').replace('mixer: mixer() }', '}')}
// %% broken
throw new Error('no such thing')

// %% second
import { folder } from 'mixlab'
export const second = compare('second', { ...tiny.spec, task: image({ data: folder({ path: 'nowhere' }) }) })

// %% third
export const third = compare('third', { ...tiny.spec, from: second })

// %% fourth
export const fourth = compare('fourth', { ...tiny.spec, train: { step: 3 } })

// %% fifth
export const fifth = compare('fifth', { ...tiny.spec, from: fourth })

// %% last
export const last = compare('last', { ...tiny.spec, variants: { mixer: mixer() }, seeds: 1 })
`

describe('the paths of mixlab run', () => {
  const names = async (root: string, ...paths: string[]) =>
    (await notebooksAt(paths.map((path) => join(root, path)))).map(({ path }) => path.slice(root.length + 1))

  it('are notebooks, and folders with theirs, sorted, each once', async () => {
    const root = folderOf({
      'b.ts': 'b',
      'a.ts': 'a',
      'c.d.ts': '',
      'd.js': '',
      '.h/x.ts': '',
      'sub/e.ts': '',
      'sub/node_modules/f.ts': '',
    })
    symlinkSync(join(root, 'a.ts'), join(root, 'link.ts'))
    symlinkSync(root, join(root, 'sub/loop'))
    expect(await names(root, '.')).toEqual(['a.ts', 'b.ts', 'sub/e.ts'])
    expect(await names(root, 'sub', 'b.ts', 'link.ts', '.', 'b.ts')).toEqual(['sub/e.ts', 'b.ts', 'link.ts'])
    expect(await notebooksAt([join(root, 'a.ts')])).toMatchObject([{ text: 'a', named: true }])
    expect((await notebooksAt([root, join(root, 'a.ts')])).map(({ named }) => named)).toEqual([true, false, false])
  })

  it('are refused before anything starts where one is unknown, or a folder without a notebook', async () => {
    const root = folderOf({ 'a.ts': NOTEBOOK, 'sub/readme.md': '', '.h/x.ts': '' })
    const call = (path: string) => mixlab(['run', join(root, 'a.ts'), join(root, path), '--workspace', root])
    const [unknown, empty] = [await call('none.ts'), await call('sub')]
    expect([unknown.code, unknown.err]).toEqual([1, [`mixlab: ${join(root, 'none.ts')}: cannot be read: no such file`]])
    expect(empty.err).toEqual([`mixlab: ${join(root, 'sub')}: has no notebook, a file that ends in .ts`])
    expect((await mixlab(['runs', '--json', '--workspace', root])).out).toEqual(['[]'])
  })
})

describe('mixlab run', () => {
  it('goes on after a study and a cell that fail, says what depends on them, and says all once more at the end', async () => {
    const folder = folderOf({ 'a.ts': MIXED })
    const { code, out, err } = await mixlab(['run', join(folder, 'a.ts'), '--json', '--workspace', folder])
    expect(code).toBe(3)
    const failures = [
      'broken:1: no such thing',
      expect.stringMatching(/^fourth:1: .*unknown option 'step'/),
      "fifth: not run, because its cell depends on 'fourth', which failed",
      expect.stringMatching(/^second: nowhere: does not exist: .* has no 'nowhere'$/),
      "third: not run, because it starts from 'second', which failed",
    ]
    expect(err.flatMap((line) => (line.startsWith('mixlab: ') ? [line.slice(8)] : []))).toEqual(failures)
    expect(err.slice(-6).map((line) => line.replace(/^ {2}/, ''))).toEqual(['5 failures:', ...failures])
    const lines = out.map((line) => JSON.parse(line))
    expect(lines.map(({ study, cell, error, trained }) => [study ?? cell, error === undefined, trained])).toEqual([
      ['broken', false, undefined],
      ['fourth', false, undefined],
      ['fifth', false, undefined],
      ['tiny', true, 1],
      ['second', false, undefined],
      ['third', false, undefined],
      ['last', true, 1],
    ])
    expect(lines[4]).toEqual({
      notebook: 'a.ts',
      study: 'second',
      error: expect.stringContaining('nowhere: does not exist'),
    })
  })

  it.runIf(LONG)(
    'takes several notebooks: one that is wrong ends no other, and a study is in at least one',
    async () => {
      const other = NOTEBOOK.replace("compare('tiny'", "compare('other'").replace('seeds: 2', 'seeds: 1')
      const folder = folderOf({ 'a.ts': 'const = 1', 'b.ts': other, 'notes.ts': '1 + 1' })
      const call = (...words: string[]) => mixlab(['run', ...words, '--workspace', folder])
      const all = await call(folder)
      expect(all.code).toBe(3)
      expect(all.err[0]).toMatch(/^mixlab: a.ts: \S+:1: /)
      expect(all.err).toContain('notes.ts: defines no study; make one with compare()')
      expect(all.err.at(-2)).toBe('1 failure:')
      expect(all.out).toContain('other: test/accuracy')
      const [named, unknown] = [
        await call(folder, '--study', 'other', '--again', 'plain'),
        await call(folder, '--study', 'othr'),
      ]
      expect([named.code, named.err[0]]).toEqual([0, 'other: 1 run archived to be trained again'])
      expect(unknown.err.at(-1)).toBe("mixlab: --study: unknown study 'othr' (did you mean 'other'?)")
      expect((await call(join(folder, 'notes.ts'), join(folder, 'a.ts'))).code).toBe(1)
      const again = await call(folder, '--study', 'other', '--again', 'plan')
      expect([again.code, again.err.at(-1)]).toEqual([
        1,
        expect.stringMatching(/^mixlab: --again: 'plan', allowed are plain/),
      ])
    },
  )

  it('refuses an unknown study before any code runs, where the notebooks write out their names', async () => {
    const text = (name: string) => `${NOTEBOOK.replace("compare('tiny'", `compare('${name}'`)}\nconsole.log('runs')`
    const folder = folderOf({ 'a.ts': text('first'), 'b.ts': text('second') })
    const { code, err } = await mixlab(['run', folder, '--study', 'secnd', '--workspace', folder])
    expect([code, err]).toEqual([1, ["mixlab: --study: unknown study 'secnd' (did you mean 'second'?)"]])
  })

  it('is ended as a whole by Ctrl-C', async () => {
    const text = (name: string) =>
      NOTEBOOK.replace("compare('tiny'", `compare('${name}'`).replace('steps: 3', 'steps: 4000')
    const folder = folderOf({
      'a.ts': `${text('one')}\nexport const two = compare('two', tiny.spec)`,
      'b.ts': text('three'),
    })
    const abort = new AbortController()
    const { code, out, err } = await mixlab(['run', folder, '--json', '--workspace', folder], {
      signal: abort.signal,
      redraw: () => abort.abort(),
    })
    expect(code).toBe(130)
    expect(out.map((line) => JSON.parse(line).study)).toEqual(['one'])
    expect(err.filter((line) => line.startsWith('interrupted'))).toHaveLength(1)
  })
})

describe('the outcome of a call', () => {
  const none = {
    out: () => {},
    err: () => {},
    redraw: null,
    signal: new AbortController().signal,
    end: () => new AbortController().signal,
  }

  it('is an error where there is no study at all', () => {
    expect(() => createOutcome(true, false, none).conclude()).toThrow('none of the notebooks defines one')
  })
})
