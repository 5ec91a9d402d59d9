import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { notebookWith, runCell } from '../app/capability/notebooks.ts'
import { LONG } from '../long.ts'
import { type ForgedCall, forging } from './forging.ts'
import { cell, openPage, run, serve, status, value, workspaceWith } from './workbench.ts'

const VICTIM = notebookWith(2)

it.runIf(LONG)(
  'a cell cannot change, replace, begin or read what another notebook has trained; what it shares, it says',
  async () => {
    const workspace = workspaceWith('victim.ts', VICTIM)
    const before = openHost({ workspace })
    const events = await runCell(before, 'victim.ts', VICTIM, 'study')
    const trained = await before.showRun('1')
    expect(trained.error).toBeNull()
    const weights = await before.readWeights(1)
    before.close()
    const planned = events.flatMap((event) => (event.type === 'plan' ? event.runs : []))[0]
    if (!planned) throw new Error('nothing was planned')
    const { done: _, resumesAt: __, ...own } = JSON.parse(JSON.stringify(planned)) as typeof planned // without what is undefined
    const events999 = [{ type: 'metric', step: 1, name: 'test/accuracy', value: 0.999 }]
    const attacks: ForgedCall[] = [
      { id: 'accuracy', name: 'record', given: [1, events999, { epoch: 1 }] },
      { id: 'weights', name: 'record', given: [1, [{ type: 'checkpoint', step: 1, weights: new Uint8Array(3) }]] },
      { id: 'spec', name: 'admitRuns', given: [[own]] },
      { id: 'run', name: 'beginRun', given: [{ ...own, backend: 'cpu', device: 'none' }] },
      { id: 'read weights', name: 'readWeights', given: [1] },
      { id: 'read state', name: 'readState', given: [1] },
      { id: 'read notebook', name: 'read', given: ['victim.ts'] },
      { id: 'read store', name: 'read', given: ['.mixlab/mixlab.db'] },
    ]
    const refused = "ids.map((id) => id + ': ' + (answerTo(id).includes('permission') ? 'refused' : 'done')).join()"
    writeFileSync(join(workspace, 'foreign.ts'), `// %% code\n${forging(attacks)}${refused}\n`)
    writeFileSync(join(workspace, 'copy.ts'), VICTIM)

    const { url } = await serve(workspace)
    const { page, troubles } = await openPage(url)
    const open = (name: string) => page.goto(`${new URL(url).origin}/#/notebook/${name}`)
    await open('foreign.ts')
    await run(page, 'code')
    await expect.poll(() => status(page, 'code')).toBe('done')
    expect(await value(page, 'code')).toBe(attacks.map(({ id }) => `${id}: refused`).join())

    await open('copy.ts')
    await run(page, 'study')
    await expect.poll(() => status(page, 'study')).toBe('done')
    const study = cell(page, 'study').getByTestId('study')
    await expect.poll(() => study.getByTestId('summary').textContent()).toContain('1 taken from notebook victim.ts')
    expect(await study.getByRole('table').first().textContent()).toContain('done; 1 taken from notebook victim.ts')
    await open('victim.ts')
    await run(page, 'study')
    await expect.poll(() => status(page, 'study')).toBe('done')
    expect(await study.getByTestId('summary').textContent()).not.toContain('taken from notebook')
    expect(troubles).toEqual([])

    const after = openHost({ workspace })
    expect(await after.listRuns()).toHaveLength(1)
    expect(await after.showRun('1')).toEqual(trained)
    expect(await after.readWeights(1)).toEqual(weights)
    after.close()
  },
)
