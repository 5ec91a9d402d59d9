import { expect, it } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import { readKept } from '../../../renderer/examples/kept.ts'
import { useConnection } from '../../../renderer/host/state.ts'

it('says why there is nothing of the test examples of a run, damaged ones too', async () => {
  let packed: Uint8Array | null = null
  const host: Partial<Host> = { readOutcomes: async () => packed }
  useConnection.setState({ host: host as Host })
  expect(await readKept(7)).toMatchObject({ outcomes: null, why: expect.stringContaining('it is not kept') })
  packed = new Uint8Array([0, 0, 0, 9, 1])
  const why = 'run 7: its outcomes of examples cannot be read; evaluate them again'
  expect(await readKept(7)).toEqual({ outcomes: null, why })
  host.readOutcomes = () => Promise.reject(new Error('run 7: its outcomes of examples are missing'))
  expect(await readKept(7)).toMatchObject({ outcomes: null, why: expect.stringContaining('are missing') })
})
