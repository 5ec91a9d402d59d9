import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { LONG } from '../long.ts'
import { cell, goTo, mixlab, openNotebook, points, run, setCell, status, value, workspaceWith } from './workbench.ts'

const phase = (page: Page) => page.getByTestId('kernel').getAttribute('data-phase')

const BLOCK = (name: string, body: string) => `import { add, block, dense, gelu, layerNorm } from 'mixlab'
export const ${name} = block('${name}', (x, { dim }) => ${body})`

const STUDY = (steps: number) => `import { compare, image, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 8, dim: 16, depth: 1 },
  variants: { one, two, three },
  train: { steps: ${steps}, batch: 16 },
  seeds: 2,
})`

const THREE = `// %% one
${BLOCK('one', 'add(x, dense(x, dim))')}

// %% two
${BLOCK('two', 'add(x, dense(layerNorm(x), dim))')}

// %% three
${BLOCK('three', 'add(x, gelu(dense(x, dim)))')}

// %% study
${STUDY(40)}

// %% note
tiny.name
`

describe('a notebook that is edited and run', () => {
  it.runIf(LONG)(
    'trains only the variant whose block was edited; its old results are called stale until then',
    async () => {
      const { page, troubles } = await openNotebook(THREE)
      const means = () => cell(page, 'study').getByTestId('mean').allInnerTexts()
      await page.getByTestId('run-all').click()
      await expect.poll(() => status(page, 'note')).toBe('done')
      await expect.poll(() => status(page, 'study')).toBe('done')
      const before = await means()
      expect(before).toHaveLength(3)

      await setCell(page, 'two', BLOCK('two', 'add(x, dense(gelu(layerNorm(x)), dim))'))
      await expect.poll(() => status(page, 'study')).toBe('stale')
      expect([await status(page, 'one'), await status(page, 'two'), await status(page, 'note')]).toEqual([
        'done',
        'stale',
        'stale',
      ])
      const output = cell(page, 'study').getByTestId('output')
      await expect.poll(() => output.getAttribute('data-stale')).toBe('true')
      await expect.poll(() => output.textContent()).toContain('The code has changed since.')
      await expect.poll(means).toEqual(before)

      await run(page, 'study')
      await expect.poll(() => status(page, 'study')).toBe('done')
      await expect.poll(() => output.textContent()).toContain('3 variants, 6 runs; 4 taken from the store')
      const after = await means()
      expect([after[0], after[2]]).toEqual([before[0], before[2]])
      expect(after[1]).not.toBe(before[1])
      await expect.poll(() => status(page, 'two')).toBe('done')
      expect(await status(page, 'note')).toBe('stale')
      expect(troubles).toEqual([])
    },
  )

  it.runIf(LONG)('lets quick cells follow where that is wanted', async () => {
    const { page } = await openNotebook('// %% a\nconst a = 1\n\n// %% b\nconst b = a + 1\nb\n\n// %% c\nb * 10\n')
    // a busy machine makes no cell slow: the page's clock has almost stopped
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() / 1000
    })
    await page.getByTestId('run-all').click()
    await expect.poll(() => status(page, 'c')).toBe('done')
    await page.getByTestId('follow').check()
    await setCell(page, 'a', 'const a = 5')
    await expect.poll(() => status(page, 'c')).toBe('stale')
    expect(await value(page, 'c')).toBe('20')
    await run(page, 'a')
    await expect.poll(() => value(page, 'c')).toBe('60')
    expect([await status(page, 'b'), await status(page, 'c')]).toEqual(['done', 'done'])
    await page.reload()
    await expect.poll(() => page.getByTestId('follow').isChecked()).toBe(true)
  })
})

const FAILING = `// %% one
${BLOCK('one', 'add(x, dense(x, dim))')}

// %% two
${BLOCK('two', 'dense(x, dim + 1)')}

// %% study
${STUDY(20).replace('one, two, three', 'one, two')}
`

describe('a study in which a variant fails', () => {
  it.runIf(LONG)('says so in its status and on top, keeps its times over a reload, and is trained again', async () => {
    const { page, troubles } = await openNotebook(FAILING)
    const study = cell(page, 'study')
    const words = () => study.getByTestId('status').innerText()
    const times = async () =>
      await study.locator('.variants tr:has([data-testid=mean]) td:nth-last-child(2)').allInnerTexts()
    await run(page, 'study')
    await expect.poll(words).toBe('1 of 4 runs failed, 1 not tried')
    expect(await status(page, 'study')).toBe('failed')
    const failures = study.getByTestId('failed-runs')
    await expect.poll(() => failures.locator('li').allInnerTexts()).toHaveLength(1)
    expect(await failures.innerText()).toMatch(
      /two, seed 1, and every other seed would\s+two: block 'two': returned \[1,16,17\], expected/,
    )
    const box = async (at: typeof failures) => (await at.boundingBox())?.y ?? 0
    expect(await box(failures)).toBeLessThan(await box(study.getByTestId('curves')))

    const before = await times()
    await page.reload()
    await expect.poll(words).toBe('1 of 4 runs failed, 1 not tried')
    await expect.poll(times).toEqual(before)

    // the failed ones are archived and trained again, the others not
    await page.getByTestId('backend').selectOption('simd')
    await study.getByTestId('again-failed').click()
    await expect.poll(() => study.textContent()).toContain('4 runs; 2 taken from the store')
    await expect.poll(words).toBe('1 of 4 runs failed, 1 not tried')

    // another backend takes the runs as they are, says so, and can train them itself
    await page.getByTestId('backend').selectOption('cpu')
    await expect.poll(() => study.getByTestId('elsewhere').innerText()).toContain('2 of 4 runs were trained on simd')
    await study.getByTestId('again-here').click()
    await expect.poll(() => page.getByTestId('training').textContent()).toMatch(/^(one|two), seed \d/)
    await expect.poll(words).toBe('1 of 4 runs failed, 1 not tried')
    expect(await study.getByTestId('elsewhere').count()).toBe(0)

    await goTo(page, '#/runs')
    const rows = page.locator('[data-testid="runs"] tbody tr[data-active]')
    await page.getByTestId('filter').fill('archived:yes')
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(4)
    expect(troubles).toEqual([])
  })
})

describe('a kernel that does not answer', () => {
  /** Never answers again; `npm test` has it wait, which leaves the processor to other tests. */
  const SILENT = LONG ? 'while (true) {}' : 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

  it('is noticed and killed; texts and results stay, and the next kernel works', async () => {
    const { page, file, troubles } = await openNotebook(
      `// %% a\nconst a = 40\na\n\n// %% b\n${SILENT}\n\n// %% c\n1\n`,
    )
    await run(page, 'a')
    await expect.poll(() => value(page, 'a')).toBe('40')
    await run(page, 'b')
    await expect.poll(() => status(page, 'b')).toBe('running')
    await expect.poll(() => page.getByTestId('running').textContent()).toMatch(/^b \d+ s$/)
    await setCell(page, 'c', 'a + 2')
    await expect.poll(() => page.getByTestId('kernel').getAttribute('data-silent')).toBe('true')

    await page.getByTestId('kill').click()
    await expect.poll(() => phase(page)).toBe('ready')
    await expect.poll(() => status(page, 'b')).toBe('interrupted')
    expect([await status(page, 'a'), await value(page, 'a')]).toEqual(['done', '40'])
    await run(page, 'c')
    await expect.poll(() => value(page, 'c')).toBe('42')
    await expect.poll(file).toContain('a + 2')
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('is killed by one click while it starts a cell that never ends', async () => {
    const { page } = await openNotebook('// %% a\nfor (;;) console.log("again")\n\n// %% b\n2\n')
    await run(page, 'a')
    await expect.poll(() => cell(page, 'a').getByTestId('output').textContent()).toContain('is not shown')
    await page.getByTestId('restart-kernel').click()
    await run(page, 'b')
    await expect.poll(() => value(page, 'b')).toBe('2')
  })
})

describe('a study that was interrupted', () => {
  const NEXT = `${THREE.replaceAll('steps: 40', 'steps: 300').replace('seeds: 2', 'seeds: 1')}
// %% next
export const next = compare('next', { ...tiny.spec, from: tiny, train: { steps: 20, batch: 16 } })
`

  /** The weights of the runs of a workspace, by study and variant. */
  async function trained(workspace: string): Promise<Record<string, string>> {
    const host = openHost({ workspace })
    const weights: [string, string][] = []
    for (const { id, study, variant, status } of await host.listRuns({})) {
      weights.push([`${study} ${variant} ${status}`, Buffer.from(await host.readWeights(id)).toString('base64')])
    }
    host.close()
    return Object.fromEntries(weights.toSorted())
  }

  it.runIf(LONG)('goes on when its cell is run again, to the bits of one that was not', async () => {
    const { page, workspace, server } = await openNotebook(NEXT)
    await run(page, 'next')
    await expect.poll(() => points(page, 'next')).toBeGreaterThan(2)
    await cell(page, 'next').getByTestId('interrupt').click()
    await expect.poll(() => status(page, 'next')).toBe('interrupted')
    await run(page, 'next')
    await expect.poll(() => status(page, 'next')).toBe('done')
    server.process.kill('SIGTERM')

    const whole = workspaceWith('test.ts', NEXT)
    mixlab('run', join(whole, 'test.ts'), '--study', 'next', '--threads', '1', '--workspace', whole)
    const [here, there] = [await trained(workspace), await trained(whole)]
    expect(Object.keys(here)).toHaveLength(6)
    expect(here).toEqual(there)
  })
})
