import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withExpected } from '../../../app/experiments/expected.ts'
import { chosen, fileOf, readyNotebooks } from '../../../app/experiments/notebooks.ts'
import { PAPERS_FILE, papersText, readResults } from '../../../app/experiments/papers.ts'
import { aClaim, aPart, someResults } from './results.ts'

const stored = readResults(readyNotebooks())

describe('docs/papers.md', () => {
  it('is what the command makes of the results beside the notebooks', () => {
    expect(readFileSync(PAPERS_FILE, 'utf8')).toBe(papersText(stored))
  })

  it('has a section for each claim, with its parts, its cost and its notebook', () => {
    const claim = aClaim([
      aPart,
      {
        ...aPart,
        of: 'additive',
        verdict: 'open',
        needs: 'about 3 more seeds would show it equal',
        difference: null,
        interval: null,
      },
    ])
    const text = papersText([
      { name: 'gmlp/gates', results: { ...someResults, claim } },
      { name: 'solids', results: someResults },
    ])
    expect(text).toContain(
      '1 claim with 2 parts: 1 found, 0 found otherwise, 0 equal within the margin, 1 open; 0 screening, which count as none of these.',
    )
    expect(text).toContain(
      '## [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050), Liu et al. 2021\n\n### Which gate?',
    )
    expect(text).toContain('Table 3. 4 min 50 s on 2 cores, planned 6 min; simd, numerics 5, Mixlab 0.1.0.')
    expect(text).toContain('`npx mixlab run experiments/gmlp/gates.ts`')
    expect(text).toContain(
      '| gates: linear (test/perplexity) | 5.14 against 4.35 | 5.30 against 5.10, difference 0.20 (0.10 to 0.30), 8 seeds | found |',
    )
    expect(text).toContain('| nothing to compare | open: about 3 more seeds would show it equal |')
    expect(text).not.toContain('solids')
  })

  it('says what no notebook tries, and why', () => {
    const [, table = ''] = papersText([]).split('## What is not tried')
    const title = 'ResMLP: Feedforward networks for image classification with data-efficient training'
    const where = (place: string) => `| [${title}](https://arxiv.org/abs/2105.03404), ${place} | `
    expect(table).toContain(where('tables 2 and 3'))
    expect(table).toContain('without labels, by DINO')
    expect(table).toContain(where('table 5, the half from sequence to sequence'))
    expect(table).toContain('No task has an encoder that a decoder reads')
  })
})

it('docs/findings.md tells nothing of a part that is screening', () => {
  const text = readFileSync(join(dirname(PAPERS_FILE), 'findings.md'), 'utf8')
  const told = text.matchAll(/\[([a-z ]+)\]\(\.\.\/experiments\/([\w/-]+)\.ts\)/g)
  const counted = new Map(stored.map(({ name, results }) => [name, results.claim?.parts.map(({ verdict }) => verdict)]))
  for (const [, verdict, name = ''] of told) expect(counted.get(name), `${name}: ${verdict}`).toContain(verdict)
})

describe.each(stored)('the results of $name', ({ name, results }) => {
  it('say what would decide what is open, and nothing of the rest', () => {
    for (const { verdict, shows = verdict, needs } of results.claim?.parts ?? []) {
      expect(needs !== undefined).toBe(shows === 'open')
    }
  })

  it('are what its notebook says', () => {
    const text = readFileSync(fileOf(name), 'utf8')
    expect(withExpected(text, results)).toBe(text)
  })
})

describe('chosen', () => {
  const known = ['gmlp/gates', 'gmlp/init', 'mixer/patch-order', 'solids']

  it('takes names, papers, files and last parts of names, each once', () => {
    expect(chosen([], known)).toEqual(known)
    expect(chosen(['gmlp'], known)).toEqual(['gmlp/gates', 'gmlp/init'])
    expect(chosen(['gates', 'gmlp/gates.ts', 'experiments/solids.ts'], known)).toEqual(['gmlp/gates', 'solids'])
  })

  it('refuses an unknown name with what is close', () => {
    expect(() => chosen(['patch-ordr'], ['patch-order'])).toThrow(
      "patch-ordr: no ready notebook (did you mean 'patch-order'?)",
    )
  })
})
