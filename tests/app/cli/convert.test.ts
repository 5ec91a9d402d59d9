import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHost } from '../../../app/host.ts'
import { parseNotebook } from '../../../engine/notebook/index.ts'
import { freshFolder, mixlab } from './recorder.ts'

const TEXT = '// %% [markdown] why\n// # Why\n\n// %% sum\n1 + 1\n'

/** A workspace with a notebook whose cell `sum` has shown 2. */
async function workspace(): Promise<string> {
  const folder = freshFolder()
  writeFileSync(join(folder, 'notes.ts'), TEXT)
  const host = openHost({ workspace: folder })
  const output = {
    version: 1,
    ended: 'done',
    console: [],
    value: { kind: 'number', text: '2' },
    error: null,
    studies: [],
  }
  await host.writeOutput('notes.ts', { cell: 'sum', fingerprint: 'old', output })
  host.close()
  return folder
}

describe('mixlab convert', () => {
  it('writes a Jupyter notebook with outputs, and reads it back', async () => {
    const folder = await workspace()
    const path = (name: string) => join(folder, name)
    const to = await mixlab(['convert', path('notes.ts'), '-o', path('notes.ipynb'), '--workspace', folder])
    expect(to).toMatchObject({ code: 0, out: [path('notes.ipynb')], err: [] })
    const { cells } = JSON.parse(readFileSync(path('notes.ipynb'), 'utf8'))
    expect(cells[1].outputs).toMatchObject([{ output_type: 'execute_result', data: { 'text/plain': ['2'] } }])
    const back = await mixlab(['convert', path('notes.ipynb'), '-o', path('back.ts'), '--workspace', folder])
    expect(back.code).toBe(0)
    expect(parseNotebook(readFileSync(path('back.ts'), 'utf8'))).toEqual(parseNotebook(TEXT))
  })

  it('keeps what a foreign Jupyter notebook has, or says what is left out', async () => {
    const folder = freshFolder()
    const [from, to] = [join(folder, 'notes.ipynb'), join(folder, 'notes.ts')]
    const attachments = { 'pic.png': { 'image/png': 'aGk=' }, 'lost.png': null }
    const cells = [
      { cell_type: 'markdown', metadata: null, source: '![pic](attachment:pic.png)', attachments },
      { cell_type: 'code', source: ['x = 1'], outputs: null },
    ]
    writeFileSync(from, JSON.stringify({ nbformat: 4, metadata: { kernelspec: { name: 'python3' } }, cells }))
    const { code, err } = await mixlab(['convert', from, '-o', to, '--workspace', folder])
    expect([code, ...err]).toEqual([
      0,
      "The attachment 'lost.png' of cell 1 was left out.",
      "1 cell of code in 'python' became text: Mixlab runs TypeScript.",
    ])
    expect(readFileSync(to, 'utf8')).toContain('![pic](data:image/png;base64,aGk=)')
  })

  it('writes a report that says where the code has changed since', async () => {
    const folder = await workspace()
    const to = join(folder, 'notes.html')
    expect((await mixlab(['convert', join(folder, 'notes.ts'), '-o', to, '--workspace', folder])).code).toBe(0)
    const html = readFileSync(to, 'utf8')
    expect(html).toContain('<h1>Why</h1>')
    expect(html).toContain('The code has changed since this output was made.')
  })

  it('says so where nothing has run', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'notes.ts'), TEXT)
    const given = ['convert', join(folder, 'notes.ts'), '-o', join(folder, 'a.html'), '--workspace', folder]
    expect((await mixlab(given)).err[0]).toContain('no cell of notes.ts has an output in')
  })

  it('overwrites no notebook, and names what it cannot do', async () => {
    const folder = await workspace()
    const path = (name: string) => join(folder, name)
    const convert = async (from: string, to: string) =>
      (await mixlab(['convert', path(from), '-o', path(to), '--workspace', folder])).err[0]
    writeFileSync(path('old.ipynb'), '{}')
    for (const [from, to, message] of [
      ['old.ipynb', 'notes.ts', 'notes.ts: exists already'],
      ['old.ipynb', 'new.ts', `${path('old.ipynb')}: is not a Jupyter notebook`],
      ['notes.ts', 'notes.pdf', "unknown format '.pdf' (known: .ts, .ipynb, .html)"],
      ['notes.ts', 'other.ts', '.ts cannot be turned into .ts'],
      ['none.ts', 'none.html', 'cannot be read: no such file'],
    ] as const) {
      expect(await convert(from, to)).toContain(message)
    }
    expect((await mixlab(['convert', path('notes.ts')])).err[0]).toContain('--output: missing')
    expect(existsSync(path('new.ts'))).toBe(false)
  })
})
