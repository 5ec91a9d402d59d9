import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { claimIn, untuned } from '../../app/experiments/claims.ts'
import { DATA, fileOf, readyNotebooks } from '../../app/experiments/notebooks.ts'
import { storedResults } from '../../app/experiments/papers.ts'
import { studiesIn } from '../../app/studies.ts'
import { belowFloors, PAPERS, variantsOfPart } from '../../engine/claims/index.ts'
import { traceModel } from '../../engine/cost/trace.ts'
import { parseNotebook } from '../../engine/notebook/index.ts'
import { resolveStudy } from '../../engine/study/design/resolve.ts'
import { memoryFiles } from '../engine/data/memory-files.ts'

/** The data of others, as a workspace has them. */
const shipped = memoryFiles(
  Object.fromEntries(
    globSync('*/*', { cwd: DATA }).map((path) => [`data/${path}`, new Uint8Array(readFileSync(join(DATA, path)))]),
  ),
)

describe.each(readyNotebooks().filter((name) => name.includes('/')))('experiments/%s', (name) => {
  const text = readFileSync(fileOf(name), 'utf8')
  let claim: ReturnType<typeof claimIn> | undefined
  const claimed = () => {
    claim ??= claimIn(text, shipped)
    return claim
  }
  afterAll(() => {
    claim = undefined // the data of all claims would be kept
  })

  it('begins with its question, the paper, its plan and how to run it', async () => {
    const [first] = parseNotebook(text)
    expect(first).toMatchObject({ id: 'question', kind: 'markdown' })
    const paper = name.split('/')[0] as keyof typeof PAPERS
    const needed = [
      '?',
      PAPERS[paper].url,
      'The plan.',
      '**Run all**',
      `\`mixlab run ${basename(name)}.ts\``,
      '--quick',
    ]
    expect(needed.filter((part) => !first?.source.includes(part))).toEqual([])
  })

  it('makes one claim of that paper, which its studies can decide', async () => {
    const claim = await claimed()
    expect(claim?.paper).toBe(name.split('/')[0])
    for (const { power, equalPower } of claim?.plans ?? []) expect(Math.max(power, equalPower)).toBeGreaterThan(0)
    const named = new Set(claim?.parts.map(({ study }) => study.name))
    expect((await studiesIn(text, () => {})).map((study) => study.name)).toEqual([...named])
  })

  it('counts no part of which a variant lies below its floor', async () => {
    const { studies = [], claim } = storedResults(name) ?? {}
    const designs = new Map([...((await claimed())?.opened.values() ?? [])].map((open) => [open.name, open.design]))
    const counted = (claim?.parts ?? []).filter(({ verdict }) => verdict !== 'screening')
    for (const { study, of } of counted) {
      const { rows = [], floors } = studies.find((each) => each.study === study) ?? {}
      const design = designs.get(study)
      expect(floors, `${study} has no floors: npm run experiments -- --papers`).toBeDefined()
      if (floors && design) expect(belowFloors(variantsOfPart(of, design), rows, floors)).toBeNull()
    }
  })

  it('has models that can be made', async () => {
    for (const [study, { variants }] of (await claimed())?.opened ?? []) {
      resolveStudy(untuned(study), { quick: true })
      for (const { block, size, opened } of variants) await traceModel(opened.model(block, size), opened.input)
    }
  })
})
