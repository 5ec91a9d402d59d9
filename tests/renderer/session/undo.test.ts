import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import type { Host } from '../../../engine/host.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { printNotebook } from '../../../engine/notebook/print.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import { replaceAll, replaceOne } from '../../../renderer/find/actions.ts'
import { useFind } from '../../../renderer/find/state.ts'
import { restoreVersion } from '../../../renderer/history/HistoryView.tsx'
import { useConnection } from '../../../renderer/host/state.ts'
import {
  addCell,
  changeKind,
  deleteCell,
  mergeBelow,
  moveBeside,
  moveCell,
  pasteCell,
  redo,
  renameCell,
  select,
  setSource,
  typedIn,
  undo,
} from '../../../renderer/session/actions.ts'
import { analyzed } from '../../../renderer/session/analyzed.ts'
import { copyCell, cutCell, pasteAt } from '../../../renderer/session/clipboard.ts'
import { keepMine, takeTheirs } from '../../../renderer/session/conflict.ts'
import type { PageCell } from '../../../renderer/session/edit.ts'
import { lookAtDisk, save } from '../../../renderer/session/files/save.ts'
import { openNotebook } from '../../../renderer/session/open.ts'
import { useNotebook } from '../../../renderer/session/state.ts'
import { useNotices } from '../../../renderer/ui/notices.ts'

vi.mock('../../../renderer/editor/monaco.ts', () => ({ monaco: {} }))
vi.stubGlobal('requestAnimationFrame', () => 0)

const disk = new Map<string, string>()
const host: Partial<Host> = {
  listNotebooks: async () => [...disk.keys()],
  readNotebook: async (name) => ({ name, text: disk.get(name) ?? '', revision: disk.get(name) ?? '' }),
  readOutputs: async () => [],
  writeNotebook: async (name, text, revision) => {
    if (revision !== disk.get(name)) throw new MixlabError('notebook', name, 'has changed on disk')
    disk.set(name, text)
    return text
  },
}

const state = () => useNotebook.getState()
const sources = () => state().cells.map(({ source }) => source)
const keyAt = (index: number) => state().cells[index]?.key ?? ''
const selected = () => state().cells.find(({ key }) => key === state().selected)?.id
const onDisk = async (name = 'n.ts') => {
  await save()
  return disk.get(name)
}

let opened = 0
/** Opens a notebook that was never open. */
async function open(text: string): Promise<string> {
  const name = `${++opened}.ts`
  disk.set(name, text)
  await openNotebook(name)
  return name
}

/** Types at the end of a cell, a key after the other. */
async function type(index: number, text: string): Promise<void> {
  for (const letter of text) {
    const { key, source } = state().cells[index] as PageCell
    typedIn(key, source + letter, [{ offset: source.length, length: 0, text: letter }])
    await Promise.resolve() // each key is a task of its own
  }
}

beforeEach(() => {
  disk.clear()
  useConnection.setState({ host: host as Host })
  useNotices.setState({ notice: null })
})

describe('undo', () => {
  it('gives both cells back after a merge, in page and file, and redo merges again', async () => {
    const text = '// %% a\nconst a = 1\n\n// %% b\nconst b = 2\n'
    const name = await open(text)
    select(keyAt(0))
    mergeBelow(keyAt(0))
    select(keyAt(0), true)
    expect(await onDisk(name)).toBe('// %% a\nconst a = 1\nconst b = 2\n')
    undo()
    expect([sources(), selected(), state().editing]).toEqual([['const a = 1', 'const b = 2'], 'a', true])
    expect(await onDisk(name)).toBe(text)
    redo()
    expect(await onDisk(name)).toBe('// %% a\nconst a = 1\nconst b = 2\n')
    redo()
    expect(sources()).toEqual(['const a = 1\nconst b = 2'])
  })

  it('takes text back word by word, and goes where it was typed', async () => {
    await open('// %% a\n\n\n// %% b\n2\n')
    select(keyAt(0), true)
    await type(0, 'let it  be\nso')
    await type(1, '3')
    select(keyAt(1), true)
    const shown = [sources()]
    for (let at = 0; at < 7; at++) {
      undo()
      shown.push(sources())
    }
    expect(shown.map(([a, b]) => `${a}|${b}`)).toEqual([
      'let it  be\nso|23',
      'let it  be\nso|2',
      'let it  be|2',
      'let it|2',
      'let|2',
      '|2',
      '|2',
      '|2',
    ])
    expect([selected(), state().editing]).toEqual(['a', true])
  })

  it('takes steps of text and of structure in the order in which they were made', async () => {
    await open('// %% a\n1\n\n// %% b\n2\n\n// %% c\n3\n')
    await type(1, '0')
    deleteCell(keyAt(0))
    await type(0, '0')
    moveCell(keyAt(0), 1)
    changeKind(keyAt(0), 'markdown')
    renameCell(keyAt(1), 'other')
    const at = () => state().cells.map(({ id, kind, source }) => `${id} ${kind} ${source}`)
    const shown = Array.from({ length: 6 }, () => {
      undo()
      return `${at().join()} at ${selected()}`
    })
    expect(shown).toEqual([
      'c markdown 3,b code 200 at b',
      'c code 3,b code 200 at c',
      'b code 200,c code 3 at c',
      'b code 20,c code 3 at b',
      'a code 1,b code 20,c code 3 at a',
      'a code 1,b code 2,c code 3 at b',
    ])
    for (let left = 6; left > 0; left--) redo()
    expect(at()).toEqual(['c markdown 3', 'other code 200'])
  })

  it('makes one step of what is replaced in all cells, and of what an editor changes in several at once', async () => {
    await open('// %% a\nx x\n\n// %% b\nx\n')
    useFind.setState({ query: 'x', replacement: 'y' })
    replaceAll()
    expect(sources()).toEqual(['y y', 'y'])
    undo()
    expect(sources()).toEqual(['x x', 'x'])
    typedIn(keyAt(0), 'z z', [{ offset: 0, length: 3, text: 'z z' }])
    typedIn(keyAt(1), 'z', [{ offset: 0, length: 1, text: 'z' }])
    undo()
    expect(sources()).toEqual(['x x', 'x'])
  })

  it('brings a cell back by its notice once, also after other steps', async () => {
    await open('// %% a\n1\n\n// %% b\n2\n')
    deleteCell(keyAt(0))
    const notice = useNotices.getState().notice?.action
    await type(0, '0')
    notice?.run()
    notice?.run()
    expect(sources()).toEqual(['1', '20'])
    undo()
    expect(sources()).toEqual(['20'])
    undo()
    undo()
    notice?.run()
    expect(sources()).toEqual(['1', '2'])
    deleteCell(keyAt(0))
    undo()
    expect(useNotices.getState().notice).toBeNull()
  })

  it('says so where it takes back what another program has written', async () => {
    const name = await open('// %% a\n1\n\n// %% b\n2\n')
    await type(0, '0')
    await save()
    disk.set(name, '// %% a\n10\n\n// %%   b\n3\n')
    await lookAtDisk()
    expect(sources()).toEqual(['10', '3'])
    undo()
    expect(useNotices.getState().notice?.text).toBe('Undid a change that was read from a file.')
    expect(await onDisk(name)).toBe('// %% a\n10\n\n// %% b\n2\n')
    redo()
    expect(await onDisk(name)).toBe('// %% a\n10\n\n// %%   b\n3\n')
  })

  it('says nothing of a file where it takes back what was typed before another program laid the file out anew', async () => {
    const name = await open('// %% a\n1\n\n// %% b\n2\n')
    await type(0, '0')
    await save()
    disk.set(name, '// %%  a\n10\n\n// %%   b\n2\n')
    await lookAtDisk()
    undo()
    expect(sources()).toEqual(['1', '2'])
    expect(useNotices.getState().notice).toBe(null)
  })

  it('goes on in a notebook that was left and opened again, and begins anew in another', async () => {
    const name = await open('// %% a\n1\n')
    await type(0, '0')
    await save()
    await open('// %% a\n5\n')
    undo()
    expect(sources()).toEqual(['5'])
    await openNotebook(name)
    undo()
    expect(sources()).toEqual(['1'])
    expect(await onDisk(name)).toBe('// %% a\n1\n')
  })

  it('has a notebook analysed that is opened again at once', async () => {
    const name = await open('// %% a\n1\n')
    await analyzed()
    await openNotebook(name)
    await analyzed()
    expect(state().facts.order).toEqual(['a'])
  })

  it('leaves an empty notebook without a selection, and brings its cells back', async () => {
    await open('// %% a\n1\n')
    deleteCell(keyAt(0))
    undo()
    expect([sources(), selected()]).toEqual([['1'], 'a'])
    redo()
    expect([sources(), state().selected]).toEqual([[], null])
  })

  it('keeps a thousand steps, and of long texts fewer', async () => {
    await open('// %% a\n1\n')
    for (let at = 0; at < 1_100; at++) setSource(keyAt(0), String(at))
    expect(state().steps.before.length).toBe(1_000)
    for (let at = 0; at < 30; at++) setSource(keyAt(0), String(at % 10).repeat(1_000_000))
    expect(state().steps.before.length).toBe(20)
  })
})

const FILES = [
  '// %% a\nconst a = 1\n\n// %% [markdown] why\n// # Why\n\n// %% b\nconst b = a\n',
  '\uFEFF// %%  a\r\nconst a = 1\r\n\r\n\r\n// %%   [md]   why  {"tags": ["x"]}\r\n// # Why\r\n//\r\n// so\r\n// %% [sql]\r\n-- select 1',
  'const top = 1\n\n\n// %%\n2\n// %%\n2\n// %% a k="v"\n\n\n3\n\n',
  '// %%\n',
  '',
]

/** One edit, as page and disk know them. */
const EDITS: ((draw: (below: number) => number, name: string) => unknown)[] = [
  (draw) => addCell(draw(state().cells.length + 1), KINDS[draw(4)]),
  ...Array.from({ length: 3 }, () => (draw: (below: number) => number) => {
    const { cells } = state()
    if (cells.length > 0) return type(draw(cells.length), WORDS[draw(WORDS.length)] ?? '')
  }),
  (draw) => on(draw, ({ key, source }) => setSource(key, source.slice(draw(source.length + 1)))),
  (draw) => on(draw, ({ key }) => deleteCell(key)),
  (draw) => on(draw, ({ key }) => mergeBelow(key)),
  (draw) => on(draw, ({ key }) => moveCell(key, draw(2) === 0 ? -1 : 1)),
  (draw) => on(draw, ({ key }) => moveBeside(key, keyAt(draw(state().cells.length)), 'after')),
  (draw) => on(draw, ({ key }) => changeKind(key, KINDS[draw(4)] ?? 'code')),
  (draw) => on(draw, ({ key }) => renameCell(key, `name ${draw(5)}`)),
  (draw) => on(draw, draw(2) === 0 ? cutCell : copyCell),
  (draw) => pasteAt(draw(state().cells.length + 1)),
  (draw) =>
    pasteCell(draw(state().cells.length + 1), { kind: 'code', id: 'gmlp', source: '// Forked\nconst gmlp = 1' }),
  (draw) => {
    useFind.setState({ query: 'a', replacement: WORDS[draw(WORDS.length)] ?? '', at: 0 })
    return draw(2) === 0 ? replaceAll() : replaceOne()
  },
  (draw) => restoreVersion(FILES[draw(FILES.length)] ?? '', '12:00'),
  () => useNotices.getState().notice?.action?.run(),
  () => save(),
  async (draw, name) => {
    if (draw(2) === 0) await save()
    const cells = parseNotebook(disk.get(name) ?? '')
    const changed = cells.map((cell) => (draw(3) === 0 ? { ...cell, source: `${cell.source} // theirs` } : cell))
    disk.set(name, printNotebook(draw(3) === 0 ? changed.slice(1) : changed, disk.get(name)))
    await lookAtDisk()
    for (const { id } of state().conflict?.cells ?? []) draw(2) === 0 ? keepMine(id) : takeTheirs(id)
  },
  async (_, name) => {
    await save()
    await open('// %% other\n')
    await openNotebook(name)
  },
  (draw) => {
    for (let left = draw(4); left > 0; left--) undo()
    for (let left = draw(4); left > 0; left--) redo()
  },
]
const KINDS = ['code', 'markdown', 'sql', 'raw'] as const
const WORDS = ['const a = 2', ' of all', '\n\nb', '(', 'ä😀', 'let x = [1]\n  + 2\n']

function on<Result>(draw: (below: number) => number, act: (cell: PageCell) => Result): Result | undefined {
  const { cells } = state()
  const cell = cells[draw(Math.max(1, cells.length))]
  return cell && act(cell)
}

describe('200 random sequences of edits', () => {
  it('leave the file as it was once they are undone, and as they left it once they are redone', async () => {
    let steps = 0
    for (let sequence = 0; sequence < 200; sequence++) {
      const key = keyOf(sequence, 'undo')
      let drawn = 0
      const draw = (below: number) => integer(key, drawn++, Math.max(1, below))
      const text = FILES[sequence % FILES.length] ?? ''
      const name = await open(text)
      for (let left = 30; left > 0; left--) await EDITS[draw(EDITS.length)]?.(draw, name)
      expect(await onDisk(name), `sequence ${sequence}`).toBe(printNotebook(state().cells, state().layout))
      const [last, cells] = [disk.get(name), state().cells]
      const made = state().steps.before.length
      steps += made
      for (let left = made; left > 0; left--) {
        undo()
        if (draw(4) === 0) await save()
      }
      expect(await onDisk(name), `sequence ${sequence} undone`).toBe(text)
      for (let left = made; left > 0; left--) {
        redo()
        if (draw(4) === 0) await save()
      }
      expect(await onDisk(name), `sequence ${sequence} redone`).toBe(last)
      expect(state().cells).toEqual(cells)
    }
    expect(steps).toBeGreaterThan(2_000)
  })
})
