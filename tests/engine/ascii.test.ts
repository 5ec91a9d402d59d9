import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { escaped } from '../../engine/ascii.ts'

it.each([
  ['text', "'a … 🙂 \\… \\\\… \\\\\\…'"],
  ['a template', '`± \\é ≤`'],
  ['a name', '(() => { const größe = { größe: 3 }; return größe.größe })()'],
  [
    'patterns',
    '[/[–—]+/, /\\é{2}\\\\…/, /^[🙂-🙉]$/u].map((pattern) => ["–—", "éé\\\\…", "🙂"].map((text) => pattern.test(text)))',
  ],
])('%s means the same in ASCII', (_, script) => {
  const ascii = escaped(script)
  expect(ascii).not.toMatch(/[\x80-\uffff]/)
  expect(runInNewContext(ascii)).toEqual(runInNewContext(script))
})
