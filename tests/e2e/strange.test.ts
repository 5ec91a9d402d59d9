import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { longestTasks, MOST_BLOCKED, openFuzzed, openText } from './fuzzed.ts'
import { cell, openNotebook, sharedBrowser } from './workbench.ts'

it.runIf(LONG)(
  'opens notebooks that nobody would write, stays free for the user, and opens no link without asking',
  async () => {
    const browser = await sharedBrowser()
    {
      const bomb = '<T>(a = '.repeat(28)
      const link = '// %% [markdown] text\n// [here](https://arxiv.org/abs/2105.01601)\n'
      const notebook = `// %% bomb\n${bomb}\n\n// %% after\nconst after = 1\n\n${link}`
      const { page, context, workspace, troubles } = await openNotebook(notebook)
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
        expect(await openText(page, workspace, 'bomb', text)).toBe(null)
        await page.evaluate("location.hash = '#/notebook/test.ts'")
        await cell(page, 'after').waitFor()
      }
      const problems: (string | null)[] = []
      const numbers = Array.from({ length: 6 }, (_, number) => number)
      const open = (number: number) => async () => void problems.push(await openFuzzed(page, workspace, number))
      const tasks = await longestTasks(browser, page, [...numbers.map(open), () => page.evaluate(compute, ROOTS)])
      expect(problems).toEqual(numbers.map(() => null))
      expect(tasks.pop()?.busy).toBeGreaterThan(MOST_BLOCKED) // it is seen
      expect(tasks.filter(({ busy }) => busy > 3 * MOST_BLOCKED)).toEqual([])
      expect(troubles).toEqual([])
    }
  },
)

/** Square roots that take a processor much longer than `MOST_BLOCKED`, however much of it others have. */
const ROOTS = 400_000_000

/** Runs in the page: keeps it busy. */
function compute(count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += Math.sqrt(i)
  return sum
}
