import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cell, openNotebook } from './cells.ts'
import { MOST_BLOCKED, openFuzzed } from './fuzzed.ts'
import { launchBrowser } from './workbench.ts'

it('opens notebooks that nobody would write, stays free for the user, and opens no link without asking', async () => {
  const browser = await launchBrowser()
  try {
    const bomb = '<T>(a = '.repeat(28)
    const link = '// %% [markdown] text\n// [here](https://arxiv.org/abs/2105.01601)\n'
    const notebook = `// %% bomb\n${bomb}\n\n// %% after\nconst after = 1\n\n${link}`
    const { page, context, workspace } = await openNotebook(browser, notebook)
    await expect.poll(() => cell(page, 'bomb').locator('.problem-glyph').count()).toBe(1)
    await cell(page, 'after').locator('.view-lines').click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(' + 2')
    await expect.poll(() => cell(page, 'after').textContent()).toMatch(/1\s\+\s2/)

    await cell(page, 'text').getByText('here').click()
    await page.getByRole('heading', { name: 'Open arxiv.org?' }).waitFor()
    expect(context.pages()).toHaveLength(1)
    await page.keyboard.press('Escape')

    for (const text of ['['.repeat(20_000), '// %% same\nconst same = 1\n'.repeat(20_000)]) {
      writeFileSync(join(workspace, 'bomb.ts'), text)
      await page.evaluate("location.hash = '#/notebook/bomb.ts'")
      await page.locator('[data-cell]').first().waitFor()
      await page.evaluate("location.hash = '#/notebook/test.ts'")
      await cell(page, 'after').waitFor()
    }
    for (let number = 0; number < 10; number++) {
      const { busy, problem } = await openFuzzed(browser, page, workspace, number)
      expect({ number, free: busy <= 2 * MOST_BLOCKED, problem }).toEqual({ number, free: true, problem: null })
    }
  } finally {
    await browser.close()
  }
})
