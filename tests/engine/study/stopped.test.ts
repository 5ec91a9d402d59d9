import { expect, it } from 'vitest'
import { compare, folder, image, mixer } from '../../../engine/index.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import type { RunStore } from '../../../engine/records/store.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { plainPng } from '../data/images/png-file.ts'
import { memoryFiles } from '../data/memory-files.ts'

/** More files than the calls look at that are under way together. */
const files = memoryFiles(
  Object.fromEntries(
    Array.from({ length: 1600 }, (_, i) => [`d/${i % 2 ? 'a' : 'b'}/${i}.png`, plainPng(2, 2, i % 256)]),
  ),
)

it('a study that is stopped while its data are read ends as interrupted, without a plan', async () => {
  const study = compare('s', {
    task: image({ data: folder({ path: 'd', size: 4 }) }),
    model: { patch: 2, dim: 4, depth: 1 },
    variants: { mixer: mixer() },
    train: { steps: 1 },
  })
  const stop = new AbortController()
  const lines: string[] = []
  const progress = (line: string) => {
    lines.push(line)
    stop.abort()
  }
  const backend = { name: 'cpu', device: '' } as const
  const environment = { files, runs: {} as RunStore, backend, signal: stop.signal, progress, planOnly: true }
  const events: StudyEvent[] = []
  for await (const event of executeStudy(study, environment)) events.push(event)
  expect(lines[0]).toBe('d: 256 of 1600 files read')
  expect(lines.at(-1)).toBe('')
  expect(lines).not.toContain('d: 1600 of 1600 files read')
  expect(events).toEqual([{ type: 'end', trained: 0, cached: 0, failed: 0, interrupted: true }])
})
