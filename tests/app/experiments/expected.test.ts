import { describe, expect, it } from 'vitest'
import { expectedNumerics, withExpected } from '../../../app/experiments/expected.ts'
import type { Results } from '../../../engine/claims/index.ts'
import { aClaim, aPart, someResults } from './results.ts'

const notebook = '// %% [markdown] question\n// # Which?\n\n// %% study\nconst a = 1\n'
const gates: Results['studies'][number] = {
  study: 'gates',
  metric: 'test/perplexity',
  rows: [
    { variant: 'a', n: 3, mean: 5.7712, sd: 0.0312 },
    { variant: 'b', n: 1, mean: 6, sd: null },
    { variant: 'c', n: 0, mean: null, sd: null },
    { variant: 'd', n: 9, mean: 26112.5555, sd: 3e-12 },
  ],
  verdicts: [{ variant: 'b', baseline: 'a', sentence: 'b equals a on all 6 seeds' }],
}
const results: Results = { ...someResults, studies: [gates] }
const cell = `// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | gates | test/perplexity, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | a | 5.77 ± 0.03 | 3 |  |
// | b | 6.00 | 1 | b equals a on all 6 seeds |
// | c | – | 0 |  |
// | d | 26112.56 ± 0.00 | 9 |  |
`

describe('withExpected', () => {
  it('writes what came out after the question, and leaves the rest as it is', () => {
    expect(withExpected(notebook, results)).toBe(notebook.replace('\n// %% study', `\n${cell}\n// %% study`))
  })

  it('writes over what it has written before', () => {
    const before = withExpected(notebook, { ...results, studies: [{ ...gates, study: 'another' }] })
    expect(withExpected(before, results)).toBe(withExpected(notebook, results))
  })

  it('says first what became of a claim, and below a table what is answered', () => {
    const answers = ['effect of gate: better by 0.2']
    const claim = aClaim([aPart])
    const text = withExpected(notebook, { ...results, claim, studies: [{ ...gates, answers }] })
    expect(text).toContain(`// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | gates: linear | 5.14 against 4.35 | 5.30 against 5.10, difference 0.20 (0.10 to 0.30), 8 seeds | **found** | margin 0.2; power 0.90, to be equal 0.80 |
//
// | gates |`)
    expect(text).toContain('// | d | 26112.56 ± 0.00 | 9 |  |\n//\n// - effect of gate: better by 0.2\n')
  })
})

describe('expectedNumerics', () => {
  it('is what the results were trained with, and null where there are none', () => {
    expect(expectedNumerics(withExpected(notebook, { ...results, numerics: 4 }))).toBe(4)
    expect(expectedNumerics(notebook.replace('Which?', 'Expected, on simd with numerics 5:'))).toBeNull()
  })
})
