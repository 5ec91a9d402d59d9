import { expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { cell, openPage, run, serve, value, workspaceWith } from './workbench.ts'

/** Not what any version of the page stores. */
const BROKEN = {
  version: 1,
  ...{ console: [], displays: [], error: null, studies: [], query: null, ended: 'done', ms: 1, source: '1 + 1' },
  value: { kind: 'table', text: 'a table', body: { type: 'table', columns: null } },
}

const NOTEBOOK = `// %% a
1 + 1

// %% b
import * as tf from '@tensorflow/tfjs'
tf.tidy(() => tf.add(2, 2).dataSync()[0])

// %% c
const x = 1
throw new Error('on purpose')
`

it('an output that cannot be drawn, and an error, which has its line, leave the rest of the page as it is', async () => {
  const workspace = workspaceWith('broken.ts', NOTEBOOK)
  const host = openHost({ workspace })
  await host.writeOutput('broken.ts', { cell: 'a', fingerprint: '', output: BROKEN })
  host.close()
  const { page } = await openPage((await serve(workspace)).url)
  const broken = page.getByTestId('broken')
  await expect.poll(() => broken.count()).toBe(1)
  await expect.poll(() => broken.textContent()).toContain("The output of 'a' cannot be shown: ")
  await broken.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => cell(page, 'a').getByTestId('broken').count()).toBe(1)

  await run(page, 'c')
  const error = cell(page, 'c').getByTestId('error')
  await expect.poll(() => error.textContent()).toContain('on purpose')
  await expect.poll(() => error.textContent()).toContain('line 2')
  await run(page, 'b')
  await expect.poll(() => value(page, 'b')).toBe('4')
  await run(page, 'a')
  await expect.poll(() => value(page, 'a')).toBe('2')
  expect(await broken.count()).toBe(0)
})
