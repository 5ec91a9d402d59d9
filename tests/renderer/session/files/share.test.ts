import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../../../engine/host.ts'
import { useConnection } from '../../../../renderer/host/state.ts'
import { EMPTY_OUTPUT } from '../../../../renderer/protocol/output.ts'
import { freeName } from '../../../../renderer/session/files/files.ts'
import { addJupyter, baseOf } from '../../../../renderer/session/files/importJupyter.ts'
import { saveJupyter, saveReport } from '../../../../renderer/session/files/share.ts'
import { openNotebook } from '../../../../renderer/session/open.ts'
import { useNotices } from '../../../../renderer/ui/notices.ts'

const saved: Record<string, string> = {}
vi.mock('../../../../renderer/host/saveBytes.ts', () => ({
  saveBytes: async (name: string, bytes: Uint8Array) => {
    if (name.startsWith('full')) throw new Error('the disk is full')
    saved[name] = new TextDecoder().decode(bytes)
  },
}))

const written: Record<string, string> = {}

beforeEach(() => {
  const host: Partial<Host> = {
    describe: async () => ({ version: '1', workspace: '/w', notebook: null }),
    readNotebook: async (name) => ({ name, text: '// %% a\n1 + 1\n', revision: 'r' }),
    readOutputs: async () => [
      { cell: 'a', fingerprint: 'f', output: { ...EMPTY_OUTPUT, value: { kind: 'number', text: '2 of it' } } },
    ],
    listRuns: async () => [],
    listNotebooks: async () => ['notes.ts'],
    writeNotebook: async (name, text) => (written[name] = text),
  }
  useConnection.setState({ host: host as Host })
  useNotices.setState({ notice: null })
  vi.stubGlobal('location', { hash: '' })
})

describe('sharing', () => {
  it('saves the notebook with its outputs, as a report and for Jupyter', async () => {
    await openNotebook('n.ts')
    await saveReport({})
    expect(saved['n.html']).toContain('2 of it')
    await saveJupyter({})
    expect(JSON.parse(saved['n.ipynb'] ?? '').cells[0].outputs[0].data).toEqual({ 'text/plain': ['2 of it'] })
  })

  it('tells why nothing was saved', async () => {
    await openNotebook('full.ts')
    await saveReport({})
    expect(useNotices.getState().notice?.text).toBe('full.html was not saved: the disk is full')
  })
})

describe('importing', () => {
  it('adds a notebook under a free name and goes there', async () => {
    const text = JSON.stringify({ nbformat: 4, metadata: {}, cells: [{ cell_type: 'markdown', source: '# Hi' }] })
    await addJupyter({ name: 'notes.ipynb', text: async () => text })
    expect(written).toEqual({ 'notes-2.ts': '// %% [markdown]\n// # Hi\n' })
    expect(location.hash).toBe('#/notebook/notes-2.ts')
  })

  it('says what was left out', async () => {
    const cells = [{ cell_type: 'code', source: 'x = 1', outputs: [{}] }]
    const text = JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells })
    await addJupyter({ name: 'notes.ipynb', text: async () => text })
    expect(useNotices.getState().notice?.text).toBe(
      "notes.ipynb was imported. 1 cell of code in 'python' became text: Mixlab runs TypeScript. The outputs of 1 cell were left out.",
    )
  })

  it('tells why a file was not imported', async () => {
    await addJupyter({ name: 'x.ipynb', text: async () => '{' })
    expect(useNotices.getState().notice?.text).toBe(
      'x.ipynb was not imported: ipynb: is not JSON: it breaks off in line 1',
    )
  })

  it('makes names that the workspace takes', () => {
    expect(baseOf('a:b/c.v2.IPYNB')).toBe('a-b-c-v2')
    expect(freeName(baseOf('.ipynb'), ['notebook.ts', 'notebook-2.ts'])).toBe('notebook-3.ts')
  })
})
