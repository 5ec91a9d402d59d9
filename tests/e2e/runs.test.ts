import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { openSigner } from '../../app/queue/keys.ts'
import { beat, type Machine } from '../../app/queue/machines.ts'
import { namesOf } from '../../app/queue/names.ts'
import { keyOf, normal } from '../../engine/random.ts'
import { asWorker, keyedRun, trainIn } from '../app/journal/workers.ts'
import { skipLine, startServer } from '../app/queue/server.ts'
import { freshFolder } from '../app/store/samples.ts'
import { LONG } from '../long.ts'
import { ACCURACY, LOSS } from '../meanings.ts'
import { axeFaults, clipboard, downloaded, openPage, serve, workspaceWith } from './workbench.ts'

const VARIANTS = ['gmlp', 'mixer', 'resmlp', 'vit', 'g_mlp & more']
const STUDIES = 10
const SEEDS = 6

/** Tells a machine from the page what to do: one that says of itself what it was told. */
async function tellMachines(page: Page, workspace: string): Promise<void> {
  const server = await startServer()
  const names = namesOf(openSigner(join(workspace, '.mixlab')).workspace)
  const machine: Machine = {
    ...{ id: 'lab-1', host: 'lab', mixlab: '1', backend: 'simd', device: 'd', jobs: 1, threads: 1, used: 1, free: 1 },
    ...{ cores: 1, memory: 1, since: 1, state: 'works', runs: [] },
  }
  const live = async () => {
    const order = await beat(server.redis, names, machine)
    machine.state = order === 'pause' ? 'pauses' : 'works'
    return order
  }
  try {
    await live()
    await page.getByTestId('queue-address').fill(server.address)
    await page.getByTestId('set-queue').click()
    await page.getByTestId('machine-pause').click()
    await expect.poll(live).toBe('pause')
    await live()
    await page.getByTestId('machine-resume').click()
    await expect.poll(live).toBe('resume')
    await page.getByTestId('machine-remove').click()
    await expect.poll(live).toBe('remove')
  } finally {
    await server.close()
  }
}

/** A workspace with 300 runs: 10 studies of 5 variants and 6 seeds; every twentieth run failed. */
async function filled(): Promise<string> {
  const workspace = workspaceWith('first.ts', '// %% a\n1\n')
  const host = openHost({ workspace })
  const key = keyOf(1, 'runs')
  for (let i = 0; i < STUDIES * VARIANTS.length * SEEDS; i++) {
    const place = Math.floor(i / SEEDS)
    const [study, variant, seed] = [`study-${Math.floor(place / 5)}`, VARIANTS[place % 5] ?? '', (i % SEEDS) + 1]
    const learningRate = study === 'study-3' ? 3e-4 : 1e-3
    const train = { steps: 600, batch: 64, optimizer: { optimizer: 'adamw', options: { learningRate } } }
    const spec = { task: { kind: 'task', task: 'image' }, model: { dim: 64 }, train, seed }
    const start = { key: i.toString(16).padStart(64, '0'), study, variant, seed, spec, code: '' }
    const begun = await host.beginRun({ ...start, backend: 'simd', device: 'two cores' })
    const accuracy = 0.8 + 0.02 * (place % 5) + 0.005 * normal(key, i)
    await host.record(begun?.id ?? 0, [
      { type: 'start', steps: 600, parameters: 123_456 },
      { type: 'metric', name: 'test/accuracy', step: 600, value: accuracy, meaning: ACCURACY },
      { type: 'metric', name: 'test/loss', step: 600, value: 1 - accuracy, meaning: LOSS },
      i % 20 === 19 ? { type: 'failed', step: 300, message: 'loss is NaN' } : { type: 'done', step: 600 },
    ])
  }
  host.close()
  return workspace
}

const count = (page: Page) => page.getByTestId('count').innerText()

/** The texts of a column, of the rows that are in the page. */
async function texts(page: Page, title: string): Promise<string[]> {
  const titles = await page.locator('[data-testid="runs"] thead th').allInnerTexts()
  const place = titles.findIndex((text) => text.startsWith(title)) + 1
  return page.locator(`[data-testid="runs"] tbody tr[data-active] td:nth-child(${place})`).allInnerTexts()
}

async function isFalling(texts: Promise<string[]>): Promise<boolean> {
  const values = (await texts).map(Number)
  return values.every((value, i) => i === 0 || value <= (values[i - 1] ?? 0))
}

async function filter(page: Page, text: string, expected: string): Promise<void> {
  await page.getByTestId('filter').fill(text)
  await expect.poll(() => count(page)).toBe(expected)
}

describe('the table of runs', () => {
  it('filters, sorts and groups; tags, notes, archive and baseline stay; tables go out', async () => {
    const workspace = await filled()
    const server = await serve(workspace)
    const { page, context, troubles } = await openPage(`${server.url}#/runs`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => clipboard(page)
    await expect.poll(() => count(page)).toBe('300 runs')
    await expect.poll(async () => (await texts(page, 'study'))[0]).toBe('study-9')
    expect(await page.locator('[data-testid="runs"] tbody tr[data-active]').count()).toBeLessThan(80)
    if (LONG) expect(await axeFaults(page, '.runs-page')).toEqual([])

    await filter(page, 'lr<1e-3 vit status:done', '6 runs')
    await page.getByTestId('filter').fill('lr<')
    await expect.poll(() => page.getByTestId('filter-help').innerText()).toContain("a value is missing after '<'")
    await expect.poll(async () => (await texts(page, 'variant'))[0]).toBe('vit')
    await filter(page, 'study:study-3', '30 runs')

    await page.locator('th[data-column="test/accuracy"] button').click()
    await expect.poll(() => isFalling(texts(page, 'test/accuracy'))).toBe(true)
    expect((await texts(page, 'variant'))[0]).toBe('g_mlp & more')

    // Keys: two rows chosen from the first on, tagged, one with a note.
    await page.getByTestId('runs').focus()
    for (const key of ['Space', 'ArrowDown', 'Space', 'F2']) await page.keyboard.press(key)
    await page.getByTestId('note-input').fill('why so good?')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await texts(page, 'note'))[1]).toBe('why so good?')
    await expect.poll(() => page.getByTestId('chosen').innerText()).toBe('2 chosen')
    await page.getByTestId('tags').fill('keep')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await texts(page, 'tags')).slice(0, 3)).toEqual(['keep', 'keep', ''])
    await filter(page, 'tag:keep', '2 runs')
    await filter(page, 'note:"so good"', '1 run')
    await page
      .getByRole('checkbox', { name: /^Choose/ })
      .first()
      .check()
    await page.getByTestId('archive').click()
    await expect.poll(() => count(page)).toBe('0 runs')
    await filter(page, '', '299 runs')

    await page.getByRole('button', { name: 'By variant' }).click()
    await expect.poll(() => count(page)).toBe('50 configurations')
    await filter(page, 'study:study-3', '5 configurations')
    await page.locator('th[data-column="variant"] button').click()
    await expect.poll(() => texts(page, 'variant')).toEqual(VARIANTS.toSorted())
    await expect.poll(async () => (await texts(page, 'test/accuracy'))[1]).toMatch(/^\d\d\.\d\d ± \d\.\d\d \(\d\)$/)
    await page.getByRole('button', { name: 'Pin mixer as baseline of study-3' }).click()
    await page.getByRole('button', { name: 'Unpin mixer as baseline of study-3' }).waitFor()
    expect(await axeFaults(page, '.runs-page')).toEqual([])

    await page.getByTestId('latex').click()
    await expect.poll(copied).toContain('\\toprule')
    await expect.poll(copied).toMatch(/study-3 & g\\_mlp \\& more & .* & \$\d\d\.\d\d \\pm \d\.\d\d\$ \(\d\) & /)
    await page.getByRole('button', { name: 'Copy Markdown' }).click()
    await expect.poll(copied).toContain('| study-3 | g\\_mlp & more |')

    await page.getByRole('button', { name: 'Runs', exact: true }).click()
    await filter(page, '', '299 runs')
    await page.getByTestId('columns').click()
    await page.getByRole('form', { name: 'test/loss' }).getByRole('checkbox', { name: 'best' }).check()
    await expect.poll(async () => (await texts(page, 'best:test/loss'))[0]).toMatch(/^0\.\d{4}$/)
    const { bytes } = await downloaded(page, () => page.getByTestId('csv').click())
    const lines = bytes.toString().trimEnd().split('\r\n')
    expect(lines).toHaveLength(300)
    expect(lines[0]).toMatch(/^id,study,variant,.*,best:test\/loss$/)

    await page.reload()
    await expect.poll(async () => (await texts(page, 'best:test/loss')).length).toBeGreaterThan(10)
    await page.getByTestId('runs').focus()
    await page.keyboard.press('End')
    await expect.poll(async () => (await texts(page, 'id')).at(-1)).toMatch(/^\d+$/)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/#\/run\/\d+$/)

    const journals = freshFolder()
    asWorker(journals, (store) => trainIn(store, keyedRun('far'), 3, 'done'))
    await page.goto(`${server.url}#/runs`)
    await page.getByTestId('filter').fill('variant:far')
    await expect.poll(() => count(page)).toBe('0 runs')
    await page.getByTestId('import-journals').click()
    await page.getByTestId('journals').fill(journals)
    await page.getByTestId('import-runs').click()
    const said = '1 journal: 1 run taken, 1 of them done; 0 known already.'
    await expect.poll(() => page.getByTestId('imported').innerText()).toBe(said)
    await page.keyboard.press('Escape')
    await expect.poll(() => count(page)).toBe('1 run')

    await page.getByRole('link', { name: 'Machines' }).click()
    await page.getByTestId('queue-address').fill('redis://me:secret@127.0.0.1:1')
    await page.getByTestId('set-queue').click()
    const machines = page.locator('.machines-page')
    await expect.poll(() => machines.innerText()).toContain('redis://127.0.0.1:1: the queue does not answer')
    expect(await machines.innerHTML()).not.toContain('secret')
    expect(statSync(join(workspace, '.mixlab/queue.address')).mode & 0o077).toBe(0)
    if (!skipLine()) await tellMachines(page, workspace)
    expect(troubles).toEqual([])
  })
})
