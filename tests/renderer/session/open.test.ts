import { describe, expect, it } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import type { CellOutput, Host } from '../../../engine/host.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { EMPTY_OUTPUT } from '../../../renderer/protocol/output.ts'
import { openNotebook, showText } from '../../../renderer/session/open.ts'
import { IDLE, useNotebook } from '../../../renderer/session/state.ts'

function hostWith(text: string, outputs: CellOutput[], runs: Partial<StoredRun>[] = []) {
  const host: Partial<Host> = {
    readNotebook: async (name) => ({ name, text, revision: 'r' }),
    readOutputs: async () => outputs,
    listRuns: async () => runs as StoredRun[],
  }
  useConnection.setState({ host: host as Host })
}
const state = () => useNotebook.getState()

describe('opening a notebook', () => {
  it('restores outputs without running anything', async () => {
    const output = { ...EMPTY_OUTPUT, console: [{ level: 'log', text: 'hi' }] }
    hostWith('// %% a\n1\n', [{ cell: 'a', fingerprint: 'f', output }])
    await openNotebook('n.ts')
    expect(state().states.a).toEqual({ ...IDLE, phase: 'done', fingerprint: 'f', output })
  })

  it('passes over outputs of another version', async () => {
    const damaged = [null, 5, { version: 0 }, { version: 1, console: [] }, { version: 1, console: [], studies: [{}] }]
    hostWith(
      '// %% a\n1\n',
      damaged.map((output) => ({ cell: 'a', fingerprint: 'f', output })),
    )
    await openNotebook('n.ts')
    expect(state()).toMatchObject({ states: {}, error: null })
  })

  it('shows runs as the store has them; none is in training', async () => {
    const run = { key: 'k', id: 3, variant: 'v', seed: 1, status: 'running', cached: false, step: 4, steps: 9, ms: 0 }
    const unknown = { ...run, key: 'other' }
    const study = { study: 's', metric: 'm', variants: ['v'], runs: [run, unknown] }
    hostWith(
      '// %% a\n1\n',
      [{ cell: 'a', fingerprint: 'f', output: { ...EMPTY_OUTPUT, studies: [study] } }],
      [
        {
          key: 'k',
          id: 3,
          variant: 'v',
          seed: 1,
          status: 'done',
          step: 9,
          steps: 9,
          metrics: {},
          startedAt: 0,
          endedAt: 5,
        },
      ],
    )
    await openNotebook('n.ts')
    const statuses = () => state().states.a?.output?.studies[0]?.runs.map(({ status }) => status)
    await expect.poll(() => statuses()).toEqual(['done', 'interrupted'])
  })

  it('shows cells of kinds that are not known', async () => {
    hostWith('// %% [sequel] a\ntext\n', [])
    await openNotebook('n.ts')
    expect(state().cells).toMatchObject([{ id: 'a', kind: 'raw', source: 'text' }])
  })

  it('tells why a notebook cannot be read', async () => {
    const readNotebook = async () => Promise.reject(new MixlabError('notebook', 'n.ts', 'does not exist'))
    useConnection.setState({ host: { readNotebook, readOutputs: async () => [] } as unknown as Host })
    await openNotebook('n.ts')
    expect(state().error).toBe('n.ts: does not exist')
  })
})

describe('showText', () => {
  it('lets cells that are still there keep their place on the page', () => {
    showText('// %% a\n1\n\n// %% b\n2\n')
    const before = state().cells
    showText('// %% b\n3\n')
    expect(state().cells[0]).toEqual({ ...before[1], source: '3' })
  })
})
