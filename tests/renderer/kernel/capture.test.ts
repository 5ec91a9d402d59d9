import { expect, it, vi } from 'vitest'
import { captureConsole, MAX_LINES } from '../../../renderer/kernel/capture.ts'
import type { ConsoleLine } from '../../../renderer/protocol/output.ts'

function captured() {
  const lines: ConsoleLine[] = []
  const full = vi.fn()
  return { lines, full, console: captureConsole((line) => lines.push(line), full) }
}

it('makes a line of each call', () => {
  const { lines, console } = captured()
  console.log('loss', 0.5, { a: [1] })
  console.warn('careful')
  console.error(new Error('wrong'))
  expect(lines).toEqual([
    { level: 'log', text: 'loss 0.5 { a: [1] }' },
    { level: 'warn', text: 'careful' },
    { level: 'error', text: 'Error: wrong' },
  ])
})

it('shows no more than so many lines, and says so', () => {
  const { lines, full, console } = captured()
  for (let i = 0; i < MAX_LINES + 500; i++) console.log(i)
  expect(lines).toHaveLength(MAX_LINES + 1)
  expect(lines.at(-1)).toEqual({ level: 'warn', text: `what follows these ${MAX_LINES} lines is not shown` })
  expect(full).toHaveBeenCalledOnce()

  const long = captured()
  for (let i = 0; i < 100; i++) long.console.error('x'.repeat(1e6))
  expect(long.lines.length).toBeLessThan(60)
  expect(long.lines.at(-1)?.text).toBe('what follows these 50 lines is not shown')
  expect(long.full).toHaveBeenCalledOnce()
})
